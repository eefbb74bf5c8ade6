package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table of values in the README is made from the comments in values.yaml. */
class ReadmeTest {

  private static final Path README = Chart.FOLDER.resolve("README.md");
  private static final String BEGIN = "<!-- values: begin -->\n";
  private static final String END = "<!-- values: end -->";

  @Test
  void hasTheTableOfTheValuesAsTheyAre() throws IOException {
    String readme = Files.readString(README);
    int begin = readme.indexOf(BEGIN) + BEGIN.length();
    int end = readme.indexOf(END);
    String table = new ValuesTable(Chart.FOLDER.resolve("values.yaml")).markdown();
    if (Boolean.getBoolean("readme.update")) {
      Files.writeString(README, readme.substring(0, begin) + table + readme.substring(end));
      return;
    }
    assertThat(readme.substring(begin, end))
        .as("charts/dynims/README.md; update it with ./mvnw test -pl charts -Dreadme.update=true")
        .isEqualTo(table);
  }
}
