package io.dynims.policy.files;

import io.dynims.policy.PolicyRegistry;
import io.dynims.policy.PolicySet;
import io.dynims.policy.PolicyText;
import io.dynims.policy.Vacancy;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Reads the policy documents of files, and of the {@code *.yaml} and {@code *.yml} files of
 * folders. Hidden files are skipped and links are followed, so that a mounted ConfigMap can be
 * swapped. Not thread-safe.
 *
 * <p>A change takes effect once two scans in a row see the same content, so a file that is still
 * being written, or missing for an instant while it is replaced, does no harm.
 */
public final class PolicyFiles {

  /**
   * The result of a scan.
   *
   * @param set the policies that result from the documents
   * @param everRead whether the path could be read at least once; until then it is unknown which
   *     policies should be in force
   */
  public record Result(PolicySet set, boolean everRead) {}

  /** A file's text, or why it cannot be read. */
  private record Content(String text, String failure) {}

  /** The name under which the path itself is refused. */
  private static final String PATH_SETTING = "policies.path";

  private final List<Path> paths;
  private final PolicyRegistry book = new PolicyRegistry();
  private final Map<String, Content> applied = new HashMap<>();
  private Map<String, Content> seen;
  private final Set<Path> wereFiles = new HashSet<>();
  private boolean everRead;

  /** Files or folders; they need not be there yet. */
  public PolicyFiles(List<Path> paths) {
    this.paths = List.copyOf(paths);
  }

  /** Scans the files; call it periodically. */
  public Result scan() {
    try {
      Map<String, Content> now = readAll();
      if (seen != null) {
        everRead = true;
        book.remove(PATH_SETTING);
        apply(now);
      }
      seen = now;
    } catch (IOException e) {
      book.refuse(PATH_SETTING, e.getMessage());
    }
    PolicySet set = book.read();
    Vacancy vacancy = book.isEmpty() ? new Vacancy(true, Set.of()) : set.vacancy();
    return new Result(new PolicySet(set.tiers(), set.errors(), vacancy), everRead);
  }

  private void apply(Map<String, Content> now) {
    var names = new TreeSet<>(seen.keySet());
    names.addAll(now.keySet());
    names.addAll(applied.keySet());
    for (String name : names) {
      Content content = now.get(name);
      boolean settled = Objects.equals(content, seen.get(name));
      if (settled && !Objects.equals(content, applied.get(name))) {
        apply(name, content);
      }
    }
  }

  private void apply(String name, Content content) {
    if (content == null) {
      applied.remove(name);
      book.remove(name);
      return;
    }
    applied.put(name, content);
    if (content.failure() != null) {
      book.refuse(name, content.failure());
      return;
    }
    try {
      book.put(name, PolicyText.documents(content.text()));
    } catch (IllegalArgumentException e) {
      book.refuse(name, e.getMessage());
    }
  }

  private Map<String, Content> readAll() throws IOException {
    Map<String, Content> found = new HashMap<>();
    for (Path path : paths) {
      try {
        readAll(path, found);
      } catch (IOException e) {
        throw new IOException(path + ": " + reason(e), e);
      }
    }
    return found;
  }

  private void readAll(Path path, Map<String, Content> found) throws IOException {
    if (Files.isDirectory(path)) {
      for (Path file : yamlFiles(path)) {
        read(file, found);
      }
    } else if (wereFiles.contains(path) || Files.exists(path)) {
      wereFiles.add(path);
      read(path, found);
    } else {
      throw new IOException("it does not exist");
    }
  }

  private static List<Path> yamlFiles(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files
          .filter(file -> file.getFileName().toString().matches("[^.].*\\.ya?ml"))
          .filter(file -> !Files.isDirectory(file))
          .toList();
    }
  }

  /** Skips a file that does not exist, but not one that cannot be read. */
  private void read(Path file, Map<String, Content> found) {
    try {
      if (Files.exists(file)) {
        found.put(name(file), new Content(Files.readString(file), null));
      }
    } catch (IOException e) {
      found.put(name(file), new Content(null, reason(e)));
    }
  }

  /** What errors call a file; in one folder its name is enough. */
  private String name(Path file) {
    return paths.size() == 1 ? file.getFileName().toString() : file.toString();
  }

  private static String reason(IOException e) {
    return e instanceof CharacterCodingException
        ? "cannot be read: it is not UTF-8 text"
        : "cannot be read: " + e.getMessage();
  }
}
