package io.dynims.experiments.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The results so far, a line of JSON each: an experiment that was interrupted goes on where it was.
 * A line that a crash cut off, or that was measured at another commit, is passed over, and its
 * measurement is made again.
 *
 * @param <R> a result, as a record
 */
public final class ResultJournal<R> {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final String tree;
  private final Function<R, String> id;
  private int others;
  private final Map<String, R> results = new LinkedHashMap<>();

  /**
   * Reads the results of earlier.
   *
   * @param tree what is measured, by {@link #tree}
   * @param id of a result, by which it is found again
   */
  public ResultJournal(Path file, String tree, Class<R> type, Function<R, String> id)
      throws IOException {
    this.file = file;
    this.tree = tree;
    this.id = id;
    Files.createDirectories(file.toAbsolutePath().getParent());
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        read(line, type).ifPresent(result -> results.put(id.apply(result), result));
      }
    }
  }

  /** The name of a project's files: their commit, and whether they differ from it. */
  public static String tree(Path project) {
    return WorkTree.of(project).name();
  }

  /** How many results of other commits were passed over. */
  public int others() {
    return others;
  }

  private Optional<R> read(String line, Class<R> type) {
    try {
      JsonNode entry = JSON.readTree(line);
      if (entry.path("result").isObject() && !entry.path("tree").asText().equals(tree)) {
        others++;
        return Optional.empty();
      }
      return Optional.ofNullable(JSON.treeToValue(entry.get("result"), type));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** The result with an id, if there is one. */
  public Optional<R> find(String wanted) {
    return Optional.ofNullable(results.get(wanted));
  }

  /** Keeps a result. */
  public void add(R result) throws IOException {
    // A line of its own even after one that was cut off.
    Files.writeString(
        file,
        "\n" + JSON.writeValueAsString(Map.of("tree", tree, "result", result)),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    results.put(id.apply(result), result);
  }
}
