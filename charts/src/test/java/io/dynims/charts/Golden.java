package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Rendered resources to the letter, in src/test/resources. */
final class Golden {

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Golden() {}

  /** Fails if the resources are not those of the file, or writes it with -Dgolden.update=true. */
  static void check(String name, List<JsonNode> resources) throws IOException {
    Path file = Path.of("src/test/resources/io/dynims/charts", name + ".json");
    String rendered = JSON.writeValueAsString(resources) + "\n";
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, rendered);
      return;
    }
    assertThat(rendered)
        .as("%s; update it with ./mvnw test -pl charts -am -Dgolden.update=true", file)
        .isEqualTo(Files.readString(file));
  }
}
