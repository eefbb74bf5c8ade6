package io.dynims.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.StackSettings;
import io.dynims.cli.stack.TiersTable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "tiers", description = "Show every tier as the controller sees it.")
final class TiersCommand implements Callable<Integer> {

  enum Format {
    table,
    json;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final CliContext context;

  @Option(
      names = "-o",
      defaultValue = "table",
      description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if not given.")
  private Format format;

  TiersCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    String body = get(context.settings());
    if (format == Format.json) {
      context.out().println(body.stripTrailing());
    } else {
      TiersTable.lines(new ObjectMapper().readTree(body)).forEach(context.out()::println);
    }
    return 0;
  }

  private static String get(StackSettings settings) throws InterruptedException, StackException {
    String url = settings.controllerUrl() + "/api/v1/tiers";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(5)).build();
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new StackException(url + " answers " + answer.statusCode() + ": " + answer.body());
      }
      return answer.body();
    } catch (IOException e) {
      throw new StackException(
          "the controller does not answer at "
              + url
              + "; start it with ./dynims up, or see ./dynims logs controller",
          e);
    }
  }
}
