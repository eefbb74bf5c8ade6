package io.dynims.controller.api;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The web page at {@code /} and its files. It may load nothing else and run no inline scripts. */
final class Page {

  static final String INDEX = "index.html";

  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  private static final String CHART_PROPERTIES =
      "/META-INF/maven/org.webjars.npm/chart.js/pom.properties";
  private static final String HTML = "text/html; charset=utf-8";
  private static final String JAVASCRIPT = "text/javascript; charset=utf-8";

  private record Resource(String contentType, Buffer content) {}

  private final Map<String, Resource> resources = new HashMap<>();

  Page() {
    add(INDEX, HTML);
    resources.put(Runbooks.FILE, new Resource(HTML, Buffer.buffer(Runbooks.html())));
    add("dynims.css", "text/css; charset=utf-8");
    add("icon.svg", "image/svg+xml");
    List.of(
            "dynims",
            "model",
            "format",
            "charts",
            "tiers",
            "timeline",
            "fleet",
            "node",
            "whatif",
            "summary",
            "trends",
            "actions")
        .forEach(script -> add(script + ".js", JAVASCRIPT));
    resources.put("chart.js", new Resource(JAVASCRIPT, read(chartPath())));
  }

  /** Responds with a file of the page. */
  void serve(String file, HttpServerResponse response) {
    Resource resource = resources.get(file);
    if (resource == null) {
      throw ApiException.notFound("the page has no file '" + file + "'", null);
    }
    response
        .putHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        .putHeader("Referrer-Policy", "no-referrer");
    Responses.body(response, resource.contentType(), resource.content());
  }

  private void add(String file, String contentType) {
    resources.put(file, new Resource(contentType, read("/io/dynims/controller/page/" + file)));
  }

  /**
   * Where Chart.js is in its webjar: the version in its path is the one that the build depends on.
   */
  private static String chartPath() {
    Properties webjar = new Properties();
    try {
      webjar.load(new StringReader(read(CHART_PROPERTIES).toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "/META-INF/resources/webjars/chart.js/%s/dist/chart.umd.js"
        .formatted(webjar.getProperty("version"));
  }

  private static Buffer read(String path) {
    try (InputStream in = Page.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("missing resource: " + path);
      }
      return Buffer.buffer(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
