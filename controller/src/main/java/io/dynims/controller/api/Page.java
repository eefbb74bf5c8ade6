package io.dynims.controller.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.core.config.Config;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The page at {@code /}: one file whose own script and style are all that it may run. */
final class Page {

  private final Buffer html;
  private final String contentSecurityPolicy;

  Page() {
    String text = Config.resource(Page.class, "index.html");
    this.html = Buffer.buffer(text);
    this.contentSecurityPolicy =
        "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none';"
            + " frame-ancestors 'none'; script-src "
            + hashOf(text, "script")
            + "; style-src "
            + hashOf(text, "style");
  }

  void serve(HttpServerResponse response) {
    response.putHeader("Content-Security-Policy", contentSecurityPolicy);
    Answers.body(response, "text/html; charset=utf-8", html);
  }

  private static String hashOf(String html, String element) {
    String open = "<" + element + ">";
    int start = html.indexOf(open) + open.length();
    String content = html.substring(start, html.indexOf("</" + element + ">"));
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
