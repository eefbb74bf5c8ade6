package io.dynims.core.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The kept inputs of a fuzz test: the resources {@code <class>Inputs/<method>/*} beside it. */
public final class SeedCorpus {

  /** What a decoder made of an input. */
  public enum Outcome {
    Accepted,
    Refused
  }

  /** Decodes one input and checks everything that must hold of the result. */
  @FunctionalInterface
  public interface Check {
    /** Says what the decoder made of the input; throws if anything does not hold. */
    Outcome check(byte[] input) throws Exception;
  }

  private SeedCorpus() {}

  /** Checks that a test's kept inputs exercise both ends of its decoder, so it checks something. */
  public static void requireBothOutcomes(Class<?> test, String method, Check check)
      throws Exception {
    Map<Outcome, Path> found = new EnumMap<>(Outcome.class);
    for (Path file : files(test, method)) {
      found.put(check.check(Files.readAllBytes(file)), file);
    }
    assertThat(found).as("outcomes of the kept inputs").containsOnlyKeys(Outcome.values());
  }

  private static List<Path> files(Class<?> test, String method) throws IOException {
    String name = test.getSimpleName() + "Inputs/" + method;
    URL folder = test.getResource(name);
    assertThat(folder).as("folder of kept inputs %s", name).isNotNull();
    try (Stream<Path> files = Files.list(Path.of(uri(folder)))) {
      return files.sorted().toList();
    }
  }

  private static URI uri(URL url) throws IOException {
    try {
      return url.toURI();
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }
}
