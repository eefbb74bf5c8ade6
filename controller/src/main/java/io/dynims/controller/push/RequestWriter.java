package io.dynims.controller.push;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.runtime.auth.TokenFile;
import io.dynims.tier.TierApi;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Writes the requests to one adapter's Tier API, with the token that the adapter accepted last. For
 * use on one event loop.
 */
final class RequestWriter {

  /** What the headers take beside those that never change, unless a token is long. */
  private static final int HEADERS_BYTES = 128;

  private final Optional<TokenFile> tokens;
  private final byte[] get;
  private final byte[] put;
  private int current;

  RequestWriter(URI adapter, Optional<TokenFile> tokens) {
    this.tokens = tokens;
    String head = " " + TierApi.PATH + " HTTP/1.1\r\nHost: " + adapter.getAuthority() + "\r\n";
    this.get = ("GET" + head).getBytes(US_ASCII);
    this.put = ("PUT" + head + "Content-Type: application/json\r\n").getBytes(US_ASCII);
  }

  /**
   * A request.
   *
   * @param body of a PUT; null for a GET
   */
  ByteBuf write(ByteBufAllocator allocator, byte[] body) {
    int bodyBytes = body == null ? 0 : body.length;
    ByteBuf text = allocator.buffer(put.length + bodyBytes + HEADERS_BYTES);
    text.writeBytes(body == null ? get : put);
    List<String> all = tokens();
    if (!all.isEmpty()) {
      ByteBufUtil.writeAscii(text, "Authorization: Bearer ");
      ByteBufUtil.writeAscii(text, all.get(current % all.size()));
      ByteBufUtil.writeAscii(text, "\r\n");
    }
    if (body != null) {
      ByteBufUtil.writeAscii(text, "Content-Length: ");
      ByteBufUtil.writeAscii(text, Integer.toString(bodyBytes));
      ByteBufUtil.writeAscii(text, "\r\n");
    }
    ByteBufUtil.writeAscii(text, "\r\n");
    if (body != null) {
      text.writeBytes(body);
    }
    return text;
  }

  /**
   * Takes the next token.
   *
   * @param refused how many the adapter has refused in a row
   * @return whether there is one that it has not refused
   */
  boolean takeNextToken(int refused) {
    if (refused >= tokens().size()) {
      return false;
    }
    current++;
    return true;
  }

  private List<String> tokens() {
    return tokens.map(TokenFile::tokens).orElse(List.of());
  }
}
