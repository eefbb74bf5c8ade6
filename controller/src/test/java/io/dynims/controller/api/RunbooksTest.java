package io.dynims.controller.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunbooksTest {

  private final ApiFixture api = new ApiFixture();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void everyAlertOfTheChartHasItsPlaceOnThePage() throws Exception {
    List<String> alerts =
        Pattern.compile("- alert: (\\w+)")
            .matcher(Files.readString(Path.of("../charts/dynims/files/alerts.yaml")))
            .results()
            .map((MatchResult found) -> found.group(1))
            .toList();

    HttpResponse<String> response = api.send("GET", "/page/alerts.md");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
    assertThat(alerts)
        .isNotEmpty()
        .allSatisfy(
            alert ->
                assertThat(response.body())
                    .contains(
                        "<h2 id=\"%s\">%s</h2>".formatted(alert.toLowerCase(Locale.ROOT), alert)));
  }

  @Test
  void theTextIsThatOfTheDocument() throws Exception {
    String shown =
        api.send("GET", "/page/alerts.md")
            .body()
            .replaceAll("</?[^>]+>", "")
            .replace("&lt;", "<")
            .replace("&amp;", "&");

    assertThat(Files.readString(Path.of("../docs/alerts.md")).lines())
        .map(line -> line.replaceFirst("^##? ", "").strip())
        .allSatisfy(line -> assertThat(shown).contains(line));
  }
}
