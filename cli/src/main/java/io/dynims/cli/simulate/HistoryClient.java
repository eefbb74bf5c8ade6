package io.dynims.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.cli.stack.StackException;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.net.URLEncoder;
import java.util.List;
import java.util.Optional;

/** Asks a controller for the decisions that it keeps of a node. */
public final class HistoryClient {

  /** The body of an answer. */
  record Decisions(List<Target> decisions) {}

  private static final WireCodec<Decisions> DECISIONS = new WireCodec<>(Decisions.class);

  private final ControllerClient controller;

  /** A client of a controller without credentials, such as {@code http://127.0.0.1:8080}. */
  public HistoryClient(String url) {
    this(new ControllerClient(url, Optional.empty(), Optional.empty()));
  }

  /** Asks through a client. */
  public HistoryClient(ControllerClient controller) {
    this.controller = controller;
  }

  /**
   * The decisions for one tier, newest first.
   *
   * @param tier the tier's name; null for the only one of the node
   * @param last a number of decisions or a time span, as the controller accepts it
   * @throws InputException if the controller knows no such node, tier or span
   * @throws StackException if it cannot be reached or does not answer properly
   */
  public List<Target> decisions(String node, String tier, String last)
      throws InputException, StackException, InterruptedException {
    String path =
        "/api/v1/tiers/"
            + encoded(node)
            + "/history?last="
            + encoded(last)
            + (tier == null ? "" : "&tier=" + encoded(tier));
    byte[] body = controller.send("GET", path, null);
    try {
      return DECISIONS.decode(body).decisions();
    } catch (WireException e) {
      throw new StackException(
          controller.url() + ": the answer cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Reads an answer that was kept.
   *
   * @throws InputException if it is none
   */
  public static List<Target> read(byte[] answer, String source) throws InputException {
    try {
      return DECISIONS.decode(answer).decisions();
    } catch (WireException e) {
      throw new InputException(source + ": is no history: " + e.getMessage(), e);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }
}
