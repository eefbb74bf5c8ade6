package io.dynims.experiments.bench.threshold;

import io.dynims.cli.simulate.SyntheticTrace;
import io.dynims.cli.stack.Text;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Turns safe thresholds into findings. */
final class ThresholdFindings {

  /**
   * The results as {@code -o json} prints them.
   *
   * @param headline the difference between the laws in a sentence
   */
  record Results(
      int traces, double allowance, String headline, List<SafeThreshold> laws, List<Kind> kinds) {}

  /** A kind of traces, and the greatest inevitable excess among them. */
  record Kind(SyntheticTrace kind, long traces, long inevitableBytes) {

    static Kind of(SyntheticTrace kind, List<SuiteTrace> suite) {
      Predicate<SuiteTrace> isOfKind = trace -> trace.kind() == kind;
      return new Kind(
          kind,
          suite.stream().filter(isOfKind).count(),
          suite.stream().filter(isOfKind).mapToLong(SuiteTrace::inevitableBytes).max().orElse(0));
    }
  }

  private ThresholdFindings() {}

  static Findings of(List<SafeThreshold> found, List<SuiteTrace> suite) {
    String headline = headline(found);
    List<Kind> kinds =
        Arrays.stream(SyntheticTrace.values()).map(kind -> Kind.of(kind, suite)).toList();
    return new Findings(
        "Choosing the threshold",
        new Results(suite.size(), ThresholdBench.ALLOWANCE, headline, found, kinds),
        List.of(
            "Simulated: "
                + suite.size()
                + " traces, the shipped ones and further seeds of each kind; a node of 125 GB, a tier"
                + " of at most 60 GB that frees 5 GiB/s and fills 2 GiB/s, one tick of delay."
                + " Deterministic.",
            "Safe: no trace passes M by more than 1.1 times its inevitable excess, and so at the ten"
                + " thresholds below.",
            "Inevitable excess: what passes M with an all-knowing tier that fills all of M, knows a"
                + " rise's peak once the rise is visible (1 % of M), and frees at the full rate from"
                + " the next tick on.",
            "Strict: no trace passes M at all; loads that grow at once then need room kept free."),
        List.of(),
        List.of(thresholds(headline, found), excesses(kinds, found)),
        List.of());
  }

  /** Compares the law that holds most with each of the others. */
  static String headline(List<SafeThreshold> found) {
    SafeThreshold best =
        found.stream().max(Comparator.comparingLong(SafeThreshold::meanTierBytes)).orElseThrow();
    List<String> others = new ArrayList<>();
    for (SafeThreshold other : found) {
      if (!other.equals(best)) {
        long moreBytes = best.meanTierBytes() - other.meanTierBytes();
        others.add(
            String.format(
                Locale.ROOT,
                "%s (%.1f %%) more cache than %s",
                Text.bytes(moreBytes),
                100.0 * moreBytes / other.meanTierBytes(),
                other.law()));
      }
    }
    return others.isEmpty()
        ? "only one law: nothing to compare"
        : "at equal safety " + best.law() + " gives " + String.join(", ", others);
  }

  private static Table thresholds(String headline, List<SafeThreshold> found) {
    return new Table(
        "Greatest safe threshold; " + headline,
        List.of("law", "safe r0", "tier holds, mean", "strict r0", "tier holds, mean"),
        found.stream()
            .map(
                law ->
                    List.of(
                        law.law().name(),
                        ratio(law.threshold()),
                        Text.bytes(law.meanTierBytes()),
                        ratio(law.strictThreshold()),
                        Text.bytes(law.strictMeanTierBytes())))
            .toList());
  }

  private static Table excesses(List<Kind> kinds, List<SafeThreshold> found) {
    List<String> head = new ArrayList<>(List.of("traces", "number", "inevitable"));
    found.forEach(law -> head.add(law.law() + " at " + ratio(law.threshold())));
    List<List<String>> rows = new ArrayList<>();
    for (Kind kind : kinds) {
      List<String> row =
          new ArrayList<>(
              List.of(
                  kind.kind().name(),
                  Long.toString(kind.traces()),
                  gigabytes(kind.inevitableBytes())));
      found.forEach(law -> row.add(gigabytes(law.excessBytes().get(kind.kind()))));
      rows.add(row);
    }
    return new Table("Greatest use above M in GB, of all traces of a kind", head, rows);
  }

  private static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.3f", ratio);
  }

  private static String gigabytes(long bytes) {
    return String.format(Locale.ROOT, "%.2f", bytes / 1e9);
  }
}
