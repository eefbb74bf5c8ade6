package io.dynims.cli.stack;

import java.nio.file.Path;
import java.util.List;

/** The agent of a cache under MPI-IO, built from this tree; its arena is in a tmpfs. */
final class MpiIoParts implements StoreParts {

  static final String AGENT = "mpiio-agent";

  private final StackHome home;
  private final StackSettings settings;
  private final Path program;

  MpiIoParts(StackHome home, StackSettings settings) {
    this.home = home;
    this.settings = settings;
    this.program = home.project().resolve("mpiio-cache/target/dynims-mpiio-agent");
  }

  @Override
  public List<Part> parts(Probes probes) {
    String maxBytes = Long.toString(settings.tierMaxBytes());
    return List.of(
        new Part(
            AGENT,
            List.of(),
            List.of(),
            "DYNIMS_MPIIO=" + directory(),
            settings.onNode(
                List.of(
                    program.toString(),
                    "--directory",
                    directory().toString(),
                    "--max",
                    maxBytes,
                    "--capacity",
                    maxBytes)),
            () -> Tools.requireBuilt(program, "mpiio-cache/build"),
            () -> Probes.socket(directory().resolve("control.sock"))));
  }

  /** Programs name it in {@code DYNIMS_MPIIO}; {@code down} removes it. */
  private Path directory() {
    return home.tier(settings.tierParent());
  }

  @Override
  public String adapterJar() {
    return "mpiio-adapter/target/dynims-mpiio-adapter.jar";
  }

  @Override
  public List<String> adapterSettings() {
    return List.of("--store.directory=" + directory());
  }
}
