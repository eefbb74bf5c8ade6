package io.dynims.experiments.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.cli.stack.Machine;
import io.dynims.cli.stack.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How and where results were measured.
 *
 * @param date when they were measured, UTC
 * @param command the command line
 * @param commit the commit of the project; with {@code +changes} if files differ from it
 * @param machine processors, memory, kernel
 * @param stolenRatio the share of processor time that the hypervisor gave to others during the run
 * @param versions the versions of the programs involved, by name
 */
public record Provenance(
    String date,
    String command,
    String commit,
    String machine,
    double stolenRatio,
    Map<String, String> versions) {

  private static final Pattern MODEL = Pattern.compile("(?m)^model name\\s*:\\s*(.+)$");
  private static final Pattern COLLECTD = Pattern.compile("collectd ([0-9]+(?:\\.[0-9]+)*)");

  /**
   * The provenance of a run that ends now.
   *
   * @param project the project's folder, with built programs
   * @param command the command line
   * @param commit the commit that was measured
   * @param stolenRatio the share of processor time that the hypervisor took
   */
  static Provenance of(
      Path project, String command, String commit, double stolenRatio, Clock clock) {
    return new Provenance(
        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(),
        command,
        commit,
        describeMachine(),
        Math.rint(stolenRatio * 1e4) / 1e4,
        versionsOf(project));
  }

  private static String describeMachine() {
    String model =
        first(MODEL, read(Path.of("/proc/cpuinfo")))
            .map(name -> " (" + name.strip() + ")")
            .orElse("");
    return Runtime.getRuntime().availableProcessors()
        + " processors"
        + model
        + ", "
        + Text.bytes(Machine.read().memoryTotalBytes())
        + ", Linux "
        + System.getProperty("os.version");
  }

  private static Map<String, String> versionsOf(Path project) {
    Map<String, String> versions = new TreeMap<>();
    versions.put("Java", System.getProperty("java.version"));
    jar(project, "dist/kafka/target/lib", "kafka-clients-", "Kafka", versions);
    jar(project, "dist/alluxio/target/lib", "alluxio-core-common-", "Alluxio", versions);
    jar(project, "flink-job/target/lib", "flink-runtime-", "Flink", versions);
    jar(project, "controller/target/lib", "vertx-core-", "Vert.x", versions);
    first(COLLECTD, output("/usr/sbin/collectd", "-h")).ifPresent(v -> versions.put("collectd", v));
    return versions;
  }

  /** Reads the version of a library from the name of its jar. */
  private static void jar(
      Path project, String folder, String prefix, String name, Map<String, String> versions) {
    Pattern version = Pattern.compile(Pattern.quote(prefix) + "([0-9][^/]*)\\.jar");
    try (Stream<Path> files = Files.list(project.resolve(folder))) {
      files
          .map(file -> version.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .findFirst()
          .ifPresent(found -> versions.put(name, found.group(1)));
    } catch (IOException e) {
      // Not built, so it was not involved.
    }
  }

  private static Optional<String> first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  /** The output of a program; empty if there is no such program. */
  private static String output(String... command) {
    try {
      Process process =
          new ProcessBuilder(List.of(command))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      return new String(process.getInputStream().readAllBytes(), UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
