package io.dynims.experiments.paper;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The results of all runs so far, a line of JSON each: an experiment that was interrupted goes on
 * where it was. A line that a crash cut off is passed over, and its run is made again.
 */
final class RunJournal {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final Map<String, RunResult> results = new LinkedHashMap<>();

  RunJournal(Path file) throws IOException {
    this.file = file;
    Files.createDirectories(file.toAbsolutePath().getParent());
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        read(line).ifPresent(result -> results.put(result.id(), result));
      }
    }
  }

  private static Optional<RunResult> read(String line) {
    try {
      return Optional.of(JSON.readValue(line, RunResult.class));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** The result of a run, if it has been made. */
  Optional<RunResult> find(RunSpec spec) {
    return find(spec.id());
  }

  /** The same, by its id. */
  Optional<RunResult> find(String id) {
    return Optional.ofNullable(results.get(id));
  }

  /** Keeps a result. */
  void add(RunResult result) throws IOException {
    // A line of its own even after one that was cut off.
    Files.writeString(
        file,
        "\n" + JSON.writeValueAsString(result),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    results.put(result.id(), result);
  }
}
