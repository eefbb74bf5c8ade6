package io.dynims.experiments.paper;

/** Releases something also if this program is ended by a signal. */
final class AtExit {

  /** What releases it; a failure is reported and does not keep others from being released. */
  interface Release {
    void run() throws Exception;
  }

  private final Thread hook;

  AtExit(Release release) {
    this.hook =
        new Thread(
            () -> {
              try {
                release.run();
              } catch (Exception e) {
                System.err.println("dynims: " + e.getMessage());
              }
            },
            "at-exit");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** It is being released in the usual way. */
  void cancel() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending, and the hook runs as well: releasing twice does no harm.
    }
  }
}
