package io.dynims.cli.stack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/** A Kafka broker that is also its own controller quorum. */
final class KafkaPart {

  static final String NAME = "kafka";

  private final StackHome home;
  private final StackSettings settings;

  KafkaPart(StackHome home, StackSettings settings) {
    this.home = home;
    this.settings = settings;
  }

  Part part(Probes probes) {
    return new Part(
        NAME,
        List.of(),
        List.of("kafka.port", "kafka.controller.port"),
        settings.kafkaAddress(),
        java(
            256, settings.words("kafka.java.options"), List.of("kafka.Kafka", config().toString())),
        this::prepare,
        () -> probes.kafka(settings.port("kafka.port")));
  }

  private void prepare() throws IOException, InterruptedException, StackException {
    Template template = new Template(home, settings);
    template.write("kafka.properties", home.config());
    template.write("log4j2.properties", home.config());
    Path formatted = home.data("kafka.formatted");
    if (!Files.exists(formatted)) {
      Folders.remove(home.data(NAME));
      Files.createDirectories(home.data(NAME));
      Tools.run(
          java(
              128,
              List.of(),
              List.of(
                  "kafka.tools.StorageTool",
                  "format",
                  "--cluster-id=" + newClusterId(),
                  "--config=" + config())),
          home.log(NAME));
      Files.createFile(formatted);
    }
  }

  private List<String> java(int heapMebibytes, List<String> more, List<String> program) {
    List<String> options = new ArrayList<>(more);
    options.add("-Dlog4j2.configurationFile=" + home.config().resolve("log4j2.properties"));
    options.add("-cp");
    options.add(home.project().resolve("dist/kafka/target/lib") + "/*");
    return Tools.java(home.temporary(NAME), heapMebibytes, options, program);
  }

  private Path config() {
    return home.config().resolve("kafka.properties");
  }

  /** Kafka's ids are 16 bytes in URL-safe base 64, and must not begin with a dash. */
  private static String newClusterId() {
    UUID random = UUID.randomUUID();
    byte[] bytes =
        ByteBuffer.allocate(16)
            .putLong(random.getMostSignificantBits())
            .putLong(random.getLeastSignificantBits())
            .array();
    bytes[0] &= 0x7F;
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
