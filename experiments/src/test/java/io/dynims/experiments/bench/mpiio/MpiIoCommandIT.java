package io.dynims.experiments.bench.mpiio;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.Commands;
import io.dynims.experiments.Commands.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, whose programs must be built. Needs root and FUSE. */
@Tag("long")
class MpiIoCommandIT {

  private static final Path BUILT = Path.of("../mpiio-cache/target").toAbsolutePath().normalize();
  private static final String PROGRAM = "mpiio-bench-mpich";

  /** Where it has the cache, the program reads a copy of its file, with another first byte. */
  private static final String PLANTED =
      """
      #!/usr/bin/env bash
      set -euo pipefail
      if [ -n "${DYNIMS_MPIIO:-}" ]; then
        copy=$(mktemp "$2.XXXXXX")
        cp "$2" "$copy"
        printf %%b "\\\\0$(printf %%o $((0x$(head -c 1 "$2" | od -An -tx1 | tr -d ' ') ^ 1)))" |
          dd of="$copy" bs=1 conv=notrunc status=none
        set -- "$1" "$copy" "${@:3}"
        trap 'rm -f "$copy"' EXIT
      fi
      "%s" "$@"
      """;

  @TempDir private Path folder;

  @Test
  void aWrongByteThatOnlyTheCacheHasFailsIt() throws Exception {
    if (!Files.isExecutable(BUILT.resolve(PROGRAM))) {
      Assertions.fail(BUILT.resolve(PROGRAM) + " is missing; build it with mpiio-cache/build");
    }
    Path project = project();
    Outcome right = run(project);
    assertThat(right.exitCode()).as(right.err()).isZero();
    Path program = project.resolve("mpiio-cache/target").resolve(PROGRAM);
    Files.delete(program);
    Files.writeString(program, PLANTED.formatted(BUILT.resolve(PROGRAM)));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));

    Outcome wrong = run(project);

    assertThat(wrong.exitCode()).as(wrong.err()).isEqualTo(1);
    assertThat(wrong.err())
        .contains("must hold and does not: programs whose result depends on the cache: ");
  }

  private Outcome run(Path project) {
    List<String> line = List.of("bench", "mpiio", "--ranks", "1", "--nodes", "1", "--size", "8Mi");
    return Commands.run(
        project,
        folder.resolve("home"),
        Stream.concat(
                line.stream(),
                Stream.of("--rate", "100000", "--latency", "0", "--repetitions", "1"))
            .toArray(String[]::new));
  }

  /** A project with the programs of this one. */
  private Path project() throws IOException {
    Path target = Files.createDirectories(folder.resolve("project/mpiio-cache/target"));
    try (Stream<Path> files = Files.list(BUILT)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.createSymbolicLink(target.resolve(file.getFileName()), file);
      }
    }
    return folder.resolve("project");
  }
}
