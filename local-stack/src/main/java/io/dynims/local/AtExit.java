package io.dynims.local;

/** Releases something, even if a signal ends the program. */
public final class AtExit {

  /** What releases it; a failure is reported and does not keep others from being released. */
  public interface Release {
    void run() throws Exception;
  }

  private final Thread hook;

  /** Releases it when the program ends, unless {@link #cancel} is called before. */
  public AtExit(Release release) {
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
  public void cancel() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending, and the hook runs as well: releasing twice does no harm.
    }
  }
}
