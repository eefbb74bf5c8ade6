package io.dynims.cli.stack;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** All parts of one stack, with its own home and ports. */
public final class LocalStack {

  private static final long POLL_MILLIS = 100;

  private final StackHome home;
  private final StackSettings settings;
  private final Machine machine;
  private final PrintStream out;
  private final PartRunner runner;
  private final Scheduling scheduling;
  private final LoopParts loopParts;
  private final List<Part> parts;
  private final StackTls tls;
  private final Probes probes;

  public LocalStack(StackHome home, StackSettings settings, Machine machine, PrintStream out) {
    this.home = home;
    this.settings = settings;
    this.machine = machine;
    this.out = out;
    this.runner = new PartRunner(home, settings, out);
    this.scheduling = new Scheduling(settings, runner, out);
    this.tls = new StackTls(home, settings);
    this.probes = new Probes(tls);
    this.loopParts = new LoopParts(home, settings, tls);
    StoreParts store = StoreParts.of(home, settings);
    List<Part> all = new ArrayList<>();
    all.add(new KafkaPart(home, settings).part(probes));
    all.addAll(store.parts(probes));
    all.add(new AdapterPart(home, settings, tls, store).part(probes));
    all.add(loopParts.controller(probes));
    all.add(loopParts.flink());
    all.add(loopParts.collectd());
    this.parts = List.copyOf(all);
  }

  /** The names of all parts, in the order in which they start. */
  public List<String> names() {
    return parts.stream().map(Part::name).toList();
  }

  /** Whether any part is running. */
  public boolean isUp() {
    return parts.stream().anyMatch(part -> runner.process(part).isPresent());
  }

  /**
   * Starts the parts that are not running and waits until they are ready; for a whole stack, until
   * the loop is closed.
   *
   * @param requested names of parts, whose dependencies are started as well; empty for all
   * @throws StackException if a part fails; the message says what to do, and everything that this
   *     call started is stopped
   */
  public void up(List<String> requested) throws StackException, IOException {
    List<Part> chosen = withDependencies(requested);
    try (StackLock lock = StackLock.acquire(home)) {
      List<Part> missing = chosen.stream().filter(part -> runner.process(part).isEmpty()).toList();
      new Preflight(home, settings, machine).check(missing);
      settings.save(home);
      makeCertificates();
      if (missing.isEmpty()) {
        out.println("Already up: " + chosen.size() + " parts are running");
      }
      try {
        new Startup(home, runner, out).run(chosen, () -> finish(chosen));
      } finally {
        cleanUpIfDown();
      }
    }
  }

  private void makeCertificates() throws IOException, StackException {
    try {
      tls.create();
    } catch (InterruptedException e) {
      throw new StackException("interrupted: " + e, e);
    }
  }

  /** Stops every part, dependents first, and removes the tier; logs and data are kept. */
  public void down() throws StackException, IOException {
    down(names());
  }

  /** Stops parts, their dependents first; stopping the last part of the stack removes the tier. */
  public void down(List<String> names) throws StackException, IOException {
    if (!Files.exists(home.state())) {
      return;
    }
    ExecutorService executor = Executors.newCachedThreadPool();
    try (StackLock lock = StackLock.acquire(home)) {
      List<Part> reversed = withDependents(names);
      java.util.Collections.reverse(reversed);
      PartGraph.run(reversed, this::dependents, this::stop, executor);
      cleanUpIfDown();
    } catch (StackException | IOException e) {
      throw e;
    } catch (Exception e) {
      throw new StackException("interrupted: " + e, e);
    } finally {
      executor.shutdownNow();
    }
  }

  /** Whether the running programs of the loop are scheduled in real time. */
  public boolean isRealTime() {
    return scheduling.isRealTime(parts);
  }

  /** The state of every part. */
  public List<PartStatus> status() {
    return parts.stream().map(this::status).toList();
  }

  private PartStatus status(Part part) {
    Optional<ProcessId> process = runner.process(part);
    if (process.isEmpty()) {
      PartStatus.State state =
          Files.exists(home.pid(part.name())) ? PartStatus.State.Dead : PartStatus.State.Stopped;
      return new PartStatus(part.name(), state, 0, 0, 0, part.address());
    }
    boolean listens =
        part.ports().stream().allMatch(setting -> Probes.accepts(settings.port(setting)));
    return new PartStatus(
        part.name(),
        listens ? PartStatus.State.Running : PartStatus.State.NotListening,
        process.get().pid(),
        process.get().uptimeMillis(),
        process.get().residentBytes(),
        part.address());
  }

  private void stop(Part part) throws IOException, InterruptedException, StackException {
    boolean ran = runner.process(part).isPresent();
    runner.stop(part);
    if (ran) {
      out.printf("%-15s stopped%n", part.name());
    }
  }

  private void finish(List<Part> chosen) throws InterruptedException, StackException, IOException {
    scheduling.apply(chosen);
    awaitClosedLoop(chosen.size() == parts.size());
  }

  private void awaitClosedLoop(boolean all) throws InterruptedException, StackException {
    if (settings.kubernetesConfig().isPresent()) {
      out.printf("%-15s waits for a MemoryTier of the cluster%n", "loop");
      return;
    }
    if (!all) {
      return;
    }
    long startNanos = System.nanoTime();
    Part loop =
        new Part(
            "loop",
            List.of(),
            List.of(),
            "",
            List.of(),
            () -> {},
            new ClosedLoop(settings, probes, Clock.systemUTC())::missing);
    Optional<String> missing = PartRunner.missing(loop);
    while (missing.isPresent()) {
      for (Part part : parts) {
        if (runner.process(part).isEmpty()) {
          throw new StackException(
              part.name() + ": ended before the loop was closed; see ./dynims logs " + part.name());
        }
      }
      if (System.nanoTime() - startNanos > settings.readyTimeoutMillis() * 1_000_000) {
        throw new StackException("the loop is not closed: " + missing.get());
      }
      Thread.sleep(POLL_MILLIS);
      missing = PartRunner.missing(loop);
    }
    out.printf(
        "%-15s closed in %s%n", "loop", Text.millis((System.nanoTime() - startNanos) / 1_000_000));
  }

  /** Frees the tier's memory and removes temporary files after a stop and after a failed start. */
  private void cleanUpIfDown() throws IOException {
    if (!isUp()) {
      Folders.remove(home.tier(settings.tierParent()));
      Folders.remove(loopParts.collectdFolder());
      Folders.remove(home.temporary());
      Files.deleteIfExists(home.settingsInForce());
    }
  }

  private Collection<String> dependents(Part part) {
    return parts.stream()
        .filter(other -> other.needs().contains(part.name()))
        .map(Part::name)
        .toList();
  }

  private List<Part> withDependents(List<String> roots) {
    Set<String> names = new HashSet<>(roots);
    for (Part part : parts) {
      if (part.needs().stream().anyMatch(names::contains)) {
        names.add(part.name());
      }
    }
    return new ArrayList<>(parts.stream().filter(part -> names.contains(part.name())).toList());
  }

  private List<Part> withDependencies(List<String> requested) {
    if (requested.isEmpty()) {
      return parts;
    }
    Set<String> names = new HashSet<>(requested);
    for (int i = parts.size() - 1; i >= 0; i--) {
      if (names.contains(parts.get(i).name())) {
        names.addAll(parts.get(i).needs());
      }
    }
    return parts.stream().filter(part -> names.contains(part.name())).toList();
  }
}
