package io.dynims.experiments.bench.control;

import io.dynims.cli.plot.Figure;
import io.dynims.cli.stack.StackStore;
import io.dynims.cli.stack.Text;
import io.dynims.core.law.LawType;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Turns the runs into findings. */
final class ControlFindings {

  private static final double MEBIBYTE = 1L << 20;

  /** The JSON object. */
  private record Json(
      Map<String, Map<String, LoadSummary>> laws,
      long tierBytes,
      int repetitions,
      boolean quick,
      boolean realTime) {}

  private final long tierMaxBytes;
  private final ControlOptions options;
  private final boolean realTime;
  private final List<ControlRun> runs;

  /** By load and by law, in the order of the options. */
  private final Map<ControlLoad, Map<LawType, LoadSummary>> summaries = new LinkedHashMap<>();

  ControlFindings(
      long tierMaxBytes, ControlOptions options, boolean realTime, List<ControlRun> runs) {
    this.tierMaxBytes = tierMaxBytes;
    this.options = options;
    this.realTime = realTime;
    this.runs = runs;
    for (ControlLoad load : options.loads()) {
      Map<LawType, LoadSummary> byLaw = new LinkedHashMap<>();
      options.laws().forEach(law -> byLaw.put(law, LoadSummary.of(runs(load, law))));
      summaries.put(load, byLaw);
    }
  }

  Findings findings() {
    return new Findings(
        "The laws side by side",
        json(),
        method(),
        goals(),
        List.of(memory(), tier(), loop()),
        figures());
  }

  private List<Goal> goals() {
    List<Goal> goals = new ArrayList<>(ControlGoals.of(summaries));
    long wrong = runs.stream().mapToLong(ControlRun::readsWrong).sum();
    long correct = runs.stream().mapToLong(ControlRun::readsCorrect).sum();
    goals.add(
        Goal.none("all runs: failed reads, or reads with a wrong byte", wrong, correct + wrong));
    return goals;
  }

  private boolean isFiles() {
    return options.store() == StackStore.Alluxio;
  }

  private Json json() {
    Map<String, Map<String, LoadSummary>> laws = new LinkedHashMap<>();
    for (LawType law : options.laws()) {
      Map<String, LoadSummary> loads = new LinkedHashMap<>();
      summaries.forEach((load, byLaw) -> loads.put(load.key(), byLaw.get(law)));
      laws.put(law.toString(), loads);
    }
    return new Json(laws, tierMaxBytes, options.repetitions(), options.quick(), realTime);
  }

  private List<String> method() {
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "One node, with every part of the loop and the load on one machine; a tier of at most "
            + Text.bytes(tierMaxBytes)
            + (isFiles() ? " in tmpfs" : " in " + options.store())
            + ". Each load ran "
            + (options.repetitions() == 1 ? "once" : options.repetitions() + " times")
            + " under each law; the laws took turns. Figures are medians, with the least and the"
            + " greatest.");
    sentences.add(
        "The node's budget M is what other programs use at the start of a run, and a full tier (0.92"
            + " of its maximum), divided by the threshold r0 = 0.95. Every run starts when the tier is"
            + " full and the node at the threshold (half-empty: when the tier holds all that is read),"
            + " both for two seconds.");
    sentences.add(
        "Two readers read "
            + (isFiles() ? "blocks of 16 MiB" : "values of 63 KiB, and write again what is gone,")
            + " through the tier at random and check every byte: 96 MiB/s"
            + " from a full tier, else as fast as they can. Their data is 1.5 times the tier's maximum.");
    summaries
        .keySet()
        .forEach(load -> sentences.add("Load " + load.key() + ": " + load.text() + "."));
    sentences.add(
        (isFiles()
                ? "Memory in use and the tier's tmpfs were sampled every 10 ms, independently of the loop."
                : "Memory in use was sampled every 10 ms, independently of the loop; what the tier held is"
                    + " from its acks.")
            + " Above r0: by more than 1 % of M. Settled: from where the load becomes constant for at"
            + " least a second until the capacity stays within 1 % of M of where it ends, or of what"
            + " the head start allows while the tier fills; the worst of a run.");
    sentences.add(
        "Evicted: what the tier's data lost while its capacity was lowered. Held: the tier's data."
            + " Others: how far the memory moved that is neither the tier's nor the load's.");
    sentences.add(
        realTime
            ? "The programs of the loop had real-time scheduling (`loop.realtime`), the load and Alluxio"
                + " had not."
            : "The programs of the loop competed with the load on equal terms.");
    addIfAny(sentences, LoadSummary::startsMissed, "were not at their starting point");
    addIfAny(
        sentences,
        LoadSummary::disturbed,
        "were disturbed: the memory of other programs moved by more than 5 % of M meanwhile");
    if (options.quick()) {
      sentences.add("The loads were shortened (`--quick`).");
    }
    return sentences;
  }

  private void addIfAny(List<String> sentences, ToLongFunction<LoadSummary> number, String text) {
    long sum =
        summaries.values().stream()
            .flatMap(byLaw -> byLaw.values().stream())
            .mapToLong(number)
            .sum();
    if (sum > 0) {
      sentences.add(sum + " of " + runs.size() + " runs " + text + ".");
    }
  }

  private Table memory() {
    return table(
        "The node's memory",
        List.of("highest / M", "above M, s", "above r0, s", "settled, ms", "M, GiB", "others, MiB"),
        List.of(
            figure("%.4f", RunFigures::peakUtilization),
            figure("%.2f", RunFigures::secondsAboveTotal),
            figure("%.2f", RunFigures::secondsAboveThreshold),
            ControlFindings::settled,
            figure("%.2f", run -> run.memoryTotalBytes() / MEBIBYTE / 1_024),
            mebibytes(RunFigures::otherRangeBytes)));
  }

  private Table tier() {
    return table(
        "The tier, MiB",
        List.of("evicted", "filled", "held, mean", "held, least"),
        List.of(
            mebibytes(RunFigures::evictedBytes),
            mebibytes(RunFigures::filledBytes),
            mebibytes(RunFigures::meanUsedBytes),
            mebibytes(RunFigures::lowestUsedBytes)));
  }

  private Table loop() {
    return table(
        "Reads and decisions of a run",
        List.of("reads correct", "wrong or failed", "decisions", "acknowledgements"),
        List.of(
            figure("%.0f", RunFigures::readsCorrect),
            figure("%.0f", RunFigures::readsWrong),
            figure("%.0f", RunFigures::decisions),
            figure("%.0f", RunFigures::acks)));
  }

  private Table table(
      String caption, List<String> heads, List<Function<LoadSummary, String>> columns) {
    List<String> head = new ArrayList<>(List.of("load", "law"));
    head.addAll(heads);
    List<List<String>> rows = new ArrayList<>();
    summaries.forEach(
        (load, byLaw) ->
            byLaw.forEach(
                (law, summary) -> {
                  List<String> row = new ArrayList<>(List.of(load.key(), law.toString()));
                  columns.forEach(column -> row.add(column.apply(summary)));
                  rows.add(row);
                }));
    return new Table(caption, head, rows);
  }

  private static Function<LoadSummary, String> mebibytes(ToDoubleFunction<RunFigures> bytes) {
    return figure("%.0f", run -> bytes.applyAsDouble(run) / MEBIBYTE);
  }

  private static String settled(LoadSummary summary) {
    return summary.median().settleMillis() == null
        ? "–"
        : figure("%.0f", RunFigures::settleMillis).apply(summary);
  }

  /** The median; of several runs, also the least and the greatest if they differ. */
  private static Function<LoadSummary, String> figure(
      String format, ToDoubleFunction<RunFigures> value) {
    return summary -> {
      String median = text(format, value, summary.median());
      String min = text(format, value, summary.min());
      String max = text(format, value, summary.max());
      return min.equals(max) ? median : median + " (" + min + " to " + max + ")";
    };
  }

  private static String text(
      String format, ToDoubleFunction<RunFigures> value, RunFigures figures) {
    return String.format(Locale.ROOT, format, value.applyAsDouble(figures));
  }

  /** The first repetition of each load. */
  private List<Figure> figures() {
    return options.loads().stream()
        .map(
            load ->
                RunPlots.figure(
                    options.laws().stream().map(law -> runs(load, law).get(0)).toList()))
        .toList();
  }

  private List<ControlRun> runs(ControlLoad load, LawType law) {
    return runs.stream().filter(run -> run.load() == load && run.law() == law).toList();
  }
}
