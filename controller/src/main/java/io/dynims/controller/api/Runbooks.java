package io.dynims.controller.api;

import io.dynims.runtime.config.Config;
import java.util.Locale;

/**
 * {@code docs/alerts.md} as a page: the text of the file, with an anchor for each alert. The
 * chart's alert rules link to it, unless they are told another address.
 */
final class Runbooks {

  /** The file's name, here and in the project. */
  static final String FILE = "alerts.md";

  private Runbooks() {}

  /** The page. */
  static String html() {
    String[] parts = Config.resource(Runbooks.class, FILE).split("(?m)^## ", -1);
    StringBuilder page = new StringBuilder();
    page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.append("<meta name=\"color-scheme\" content=\"light dark\">\n");
    page.append("<title>Runbooks · DynIMS</title>\n");
    page.append("<link rel=\"stylesheet\" href=\"/page/dynims.css\">\n</head>\n<body>\n");
    page.append("<header><h1><a href=\"/\">DynIMS</a></h1></header>\n<main tabindex=\"0\">\n");
    page.append("<h2>Runbooks</h2>\n");
    // The first line is the title.
    page.append(text(parts[0].substring(parts[0].indexOf('\n'))));
    for (int i = 1; i < parts.length; i++) {
      int end = parts[i].indexOf('\n');
      String heading = parts[i].substring(0, end).strip();
      String anchor = heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
      page.append("<h2 id=\"%s\">%s</h2>\n".formatted(anchor, escaped(heading)));
      page.append(text(parts[i].substring(end)));
    }
    return page.append("</main>\n</body>\n</html>\n").toString();
  }

  private static String text(String markdown) {
    return "<pre class=\"text\">" + escaped(markdown.strip()) + "</pre>\n";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
