package io.dynims.cli.doctor;

import io.dynims.cli.stack.Text;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What was seen of each part, all at about the same time. Each part has the same time to show
 * itself, so one that hangs is a finding and holds up no check of another.
 */
record Observations(
    DoctorOptions options,
    Observed<NodeFacts> machine,
    Observed<TierFolder> folder,
    Observed<WorkerFacts> worker,
    Observed<AdapterFacts> adapter,
    Observed<ControllerFacts> controller,
    Observed<KafkaFacts> kafka) {

  /** Several requests to one part follow each other. */
  private static final int REQUESTS = 3;

  /** Looks at everything. */
  static Observations make(DoctorOptions options) throws InterruptedException {
    ExecutorService threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "doctor");
              thread.setDaemon(true);
              return thread;
            });
    try {
      Look look = new Look(options, threads);
      DoctorTargets targets = options.targets();
      var machine = look.at(Optional.of("this machine"), "", name -> NodeFacts.read(options));
      var folder =
          look.at(
              targets.tierDirectory(), "--tier-dir", path -> TierFolder.read(path, options.root()));
      var worker = look.at(targets.worker(), "--worker", uri -> WorkerFacts.read(uri, options));
      var adapter = look.at(targets.adapter(), "--adapter", uri -> AdapterFacts.read(uri, options));
      var controller =
          look.at(targets.controller(), "--controller", uri -> ControllerFacts.read(uri, options));
      var kafka =
          look.at(targets.bootstrap(), "--bootstrap", hosts -> KafkaObserver.read(hosts, options));
      return new Observations(
          options,
          machine.await(),
          folder.await(),
          worker.await(),
          adapter.await(),
          controller.await(),
          kafka.await());
    } finally {
      threads.shutdownNow();
    }
  }

  /** The node's name: as given or, if it was not, as its adapter has it. */
  Optional<String> node() {
    return options
        .targets()
        .node()
        .or(() -> Optional.ofNullable(adapter.value()).flatMap(a -> text(a, "node")));
  }

  /** The tier's name, if its adapter tells it. */
  Optional<String> tier() {
    return Optional.ofNullable(adapter.value()).flatMap(a -> text(a, "tier"));
  }

  private static Optional<String> text(AdapterFacts adapter, String field) {
    return Optional.of(adapter.tier().path(field).asText()).filter(text -> !text.isEmpty());
  }

  /** Reads what is known of a part. */
  private interface Reader<S, T> {
    T read(S source) throws IOException, InterruptedException;
  }

  /** A look that is under way. */
  private interface Pending<T> {
    Observed<T> await() throws InterruptedException;
  }

  /** Looks at parts on threads of their own, all until the same time. */
  private record Look(DoctorOptions options, ExecutorService threads, long deadlineNanos) {

    Look(DoctorOptions options, ExecutorService threads) {
      this(options, threads, System.nanoTime() + REQUESTS * options.timeout().toNanos());
    }

    <S, T> Pending<T> at(Optional<S> source, String option, Reader<S, T> reader) {
      if (source.isEmpty()) {
        return () -> Observed.notAsked("no " + option);
      }
      Callable<T> task = () -> reader.read(source.get());
      Future<T> future = threads.submit(task);
      return () -> await(source.get().toString(), future);
    }

    private <T> Observed<T> await(String name, Future<T> future) throws InterruptedException {
      try {
        long leftNanos = Math.max(0, deadlineNanos - System.nanoTime());
        return Observed.of(future.get(leftNanos, TimeUnit.NANOSECONDS));
      } catch (TimeoutException e) {
        var unused = future.cancel(true);
        long millis = REQUESTS * options.timeout().toMillis();
        return Observed.failed(name + " does not answer completely within " + Text.millis(millis));
      } catch (ExecutionException e) {
        Throwable cause = e.getCause();
        // The message of a file's exception is only the file's name.
        boolean told =
            cause instanceof IOException
                && !(cause instanceof FileSystemException)
                && cause.getMessage() != null;
        return Observed.failed(told ? cause.getMessage() : name + ": " + cause);
      }
    }
  }
}
