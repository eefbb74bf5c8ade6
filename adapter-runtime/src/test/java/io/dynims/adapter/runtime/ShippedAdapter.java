package io.dynims.adapter.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.local.FreePorts;
import io.dynims.local.JavaCommand;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An adapter as it is shipped: its jar, started again whenever it ends, as by systemd. It has a
 * token and a state file.
 */
public final class ShippedAdapter implements AutoCloseable {

  private static final Path CHECKER = Path.of("../cli/target/dynims-cli.jar");
  private static final String TOKEN = "the-token-of-the-shipped-adapter";
  private static final long CHECK_MINUTES = 5;

  /** Ends its child when it is told to end itself. */
  private static final String SUPERVISOR =
      """
      trap 'kill $child; wait $child; exit' TERM
      while :; do
        "$@" & child=$!
        echo $child >pid.new && mv pid.new pid
        wait $child
      done
      """;

  /** Returns when the old process is gone and the new one is started. */
  private static final String RESTART =
      "old=$(cat %1$s); kill $old; while [ \"$(cat %1$s)\" = $old ]; do sleep 0.02; done";

  private final Path folder;
  private final URI address = URI.create("http://127.0.0.1:" + FreePorts.next());
  private final Process supervisor;
  private final Thread atExit;

  /**
   * Starts it; returns when it serves.
   *
   * @param jar the adapter's program
   * @param folder an empty one, for its files
   * @param settings those of its store, such as {@code --store.address=127.0.0.1:6379}
   */
  public ShippedAdapter(Path jar, Path folder, List<String> settings) throws IOException {
    this.folder = folder;
    Path token = Files.writeString(folder.resolve("token"), TOKEN);
    List<String> command = new ArrayList<>(List.of("sh", "-c", SUPERVISOR, "supervisor"));
    command.addAll(JavaCommand.light("-jar", jar.toAbsolutePath().toString()));
    command.add("--http.address=" + address.getAuthority());
    command.add("--http.token.file=" + token);
    command.add("--state.file=" + folder.resolve("state"));
    command.addAll(settings);
    supervisor =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    atExit = new Thread(supervisor::destroy, "end-adapter");
    Runtime.getRuntime().addShutdownHook(atExit);
    HttpRequest ready = HttpRequest.newBuilder(address.resolve("/readyz")).build();
    await()
        .ignoreExceptions()
        .until(
            () ->
                HttpClient.newHttpClient()
                        .send(ready, HttpResponse.BodyHandlers.discarding())
                        .statusCode()
                    == 200);
  }

  /** Where it serves the Tier API. */
  public URI address() {
    return address;
  }

  /**
   * Has {@code dynims tier-check} check it, a restart included.
   *
   * @param more options
   * @return the report; every check in it has passed or was skipped
   */
  public String checked(String... more) throws IOException, InterruptedException {
    List<String> command = JavaCommand.light("-jar", CHECKER.toString(), "tier-check");
    command.add(address.toString());
    command.addAll(List.of("--token-file", folder.resolve("token").toString()));
    command.addAll(List.of("--timeout", "60s"));
    command.addAll(List.of("--restart-command", RESTART.formatted(folder.resolve("pid"))));
    command.addAll(List.of(more));
    Path report = folder.resolve("report");
    Process check =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(report.toFile())
            .start();
    try {
      boolean ended = check.waitFor(CHECK_MINUTES, TimeUnit.MINUTES);
      String text = Files.readString(report);
      System.out.println(text);
      assertThat(ended).as(text).isTrue();
      assertThat(check.exitValue())
          .as(text + "\nlog of the adapter:\n" + Files.readString(folder.resolve("log")))
          .isZero();
      return text;
    } finally {
      check.destroy();
    }
  }

  @Override
  public void close() throws InterruptedException {
    Runtime.getRuntime().removeShutdownHook(atExit);
    supervisor.destroy();
    if (!supervisor.waitFor(10, TimeUnit.SECONDS)) {
      supervisor.descendants().forEach(ProcessHandle::destroyForcibly);
      supervisor.destroyForcibly().waitFor();
    }
  }
}
