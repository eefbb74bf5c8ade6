package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.cli.simulate.ControllerClient;
import io.dynims.cli.simulate.InputException;
import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.Text;
import io.dynims.core.quantity.Quantities;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import io.dynims.runtime.config.ConfigException;
import io.dynims.runtime.config.Program;
import io.dynims.tier.HintRequest;
import io.dynims.tier.TierApi;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dynims hint}: gives, withdraws and lists hints. */
@Command(
    name = "hint",
    description = {
      "Announce how much memory a job is about to take on a node, so that its tiers make room first.",
      "Without --bytes and --clear, list the hints.",
      ""
    })
final class HintCommand implements Callable<Integer> {

  private static final String PATH = "/api/v1/hints";
  private static final WireCodec<Hints> HINTS = new WireCodec<>(Hints.class);
  private static final WireCodec<Given> GIVEN = new WireCodec<>(Given.class);

  /** A hint and its node. */
  record Given(String node, String owner, long bytes, long startMillis, long expiresMillis) {}

  /** The body of a list. */
  record Hints(List<Given> hints) {}

  private final CliContext context;
  private final Clock clock = Clock.systemUTC();

  @Spec private CommandSpec spec;
  @Mixin private final ControllerArguments controller = new ControllerArguments();

  @Parameters(paramLabel = "NODE", arity = "0..1", description = "The node's name.")
  private String node;

  @Option(
      names = "--bytes",
      paramLabel = "BYTES",
      description = "How much the owner is about to take on the node, such as 20Gi.")
  private String bytes;

  @Option(
      names = "--owner",
      paramLabel = "NAME",
      description = "Who takes it, such as a job's id. Default for --bytes: cli.")
  private String owner;

  @Option(
      names = "--in",
      paramLabel = "TIME",
      description = "Make room from this time on, such as 30s; at once if not given.")
  private String in;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "The hint ends so long after its start, taken or not; 10m if not given.")
  private String duration;

  @Option(
      names = "--clear",
      description = "Withdraw hints: all, or those of the node and the owner that are given.")
  private boolean clear;

  HintCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws ConfigException, StackException, IOException, InterruptedException {
    refuse(bytes != null && clear, "--bytes: gives a hint, and --clear withdraws hints");
    refuse(bytes != null && node == null, "NODE: which node is the hint for?");
    refuse(bytes == null && (in != null || duration != null), "--bytes: is missing");
    HintRequest request = bytes == null ? null : request();
    try {
      ControllerClient client = controller.client(context);
      if (request != null) {
        print(List.of(give(client, request)));
      } else if (clear) {
        withdraw(client);
      } else {
        print(list(client));
      }
      return 0;
    } catch (InputException e) {
      context.err().println("dynims: " + e.getMessage());
      return Program.EXIT_USAGE;
    } catch (WireException e) {
      throw new StackException("the controller's answer cannot be read: " + e.getMessage(), e);
    }
  }

  private HintRequest request() {
    try {
      long nowMillis = clock.millis();
      Long startMillis = in == null ? null : (Long) (nowMillis + Quantities.millis(in));
      Long expiresMillis =
          duration == null
              ? null
              : (Long)
                  ((startMillis == null ? nowMillis : startMillis) + Quantities.millis(duration));
      String name = owner == null ? "cli" : owner;
      return new HintRequest(node, name, Quantities.bytes(bytes), startMillis, expiresMillis);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static Given give(ControllerClient client, HintRequest request)
      throws InputException, StackException, InterruptedException, WireException {
    return GIVEN.decode(client.send("POST", PATH, TierApi.HINT.encode(request)));
  }

  private List<Given> list(ControllerClient client)
      throws InputException, StackException, InterruptedException, WireException {
    return HINTS.decode(client.send("GET", PATH, null)).hints().stream()
        .filter(hint -> node == null || hint.node().equals(node))
        .filter(hint -> owner == null || hint.owner().equals(owner))
        .toList();
  }

  /** What adapters have told lately, or, where it is named, the one that they may not have yet. */
  private void withdraw(ControllerClient client)
      throws InputException, StackException, InterruptedException, WireException {
    if (node != null && owner != null) {
      client.send("DELETE", path(node, owner), null);
      return;
    }
    List<Given> hints = list(client);
    for (Given hint : hints) {
      client.send("DELETE", path(hint.node(), hint.owner()), null);
    }
    context.out().println(hints.size() + " hints withdrawn.");
  }

  private static String path(String node, String owner) {
    return PATH + "/" + encoded(node) + "/" + encoded(owner);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  private void print(List<Given> hints) {
    if (hints.isEmpty()) {
      context.out().println("No hints.");
      return;
    }
    long nowMillis = clock.millis();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("NODE", "OWNER", "BYTES", "STARTS", "ENDS"));
    for (Given hint : hints) {
      rows.add(
          List.of(
              hint.node(),
              hint.owner(),
              Text.bytes(hint.bytes()),
              in(hint.startMillis() - nowMillis),
              in(hint.expiresMillis() - nowMillis)));
    }
    Text.table(rows).forEach(context.out()::println);
  }

  private static String in(long millis) {
    return millis <= 0 ? "now" : "in " + Text.millis(millis);
  }

  private void refuse(boolean wrong, String message) {
    if (wrong) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }
}
