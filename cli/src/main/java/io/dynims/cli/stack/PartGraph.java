package io.dynims.cli.stack;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Runs a step for every part in dependency order, independent parts in parallel. */
final class PartGraph {

  /** The step for one part. */
  interface Step {
    void run(Part part) throws Exception;
  }

  private PartGraph() {}

  /**
   * Runs the steps; the first failure is thrown and no further step begins.
   *
   * @param parts the parts, in dependency order
   * @param before the names of the parts whose steps must be done before that of a part
   */
  static void run(
      List<Part> parts,
      Function<Part, Collection<String>> before,
      Step step,
      ExecutorService executor)
      throws Exception {
    Map<String, CompletableFuture<Void>> done =
        parts.stream().collect(Collectors.toMap(Part::name, part -> new CompletableFuture<>()));
    CompletableFuture<Void> failed = new CompletableFuture<>();
    for (Part part : parts) {
      CompletableFuture<?>[] earlier =
          before.apply(part).stream()
              .filter(done::containsKey)
              .map(done::get)
              .toArray(CompletableFuture[]::new);
      CompletableFuture<Void> unused =
          CompletableFuture.allOf(earlier)
              .thenRunAsync(() -> runOne(part, step), executor)
              .whenComplete(
                  (nothing, error) -> {
                    if (error == null) {
                      done.get(part.name()).complete(null);
                    } else {
                      failed.completeExceptionally(cause(error));
                    }
                  });
    }
    CompletableFuture<?> all =
        CompletableFuture.allOf(done.values().toArray(CompletableFuture[]::new));
    try {
      CompletableFuture.anyOf(all, failed).get();
    } catch (java.util.concurrent.ExecutionException e) {
      throw cause(e) instanceof Exception exception ? exception : e;
    }
  }

  private static void runOne(Part part, Step step) {
    try {
      step.run(part);
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  private static Throwable cause(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null
        && (cause instanceof CompletionException
            || cause instanceof java.util.concurrent.ExecutionException)) {
      cause = cause.getCause();
    }
    return cause;
  }
}
