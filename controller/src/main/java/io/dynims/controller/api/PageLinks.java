package io.dynims.controller.api;

import io.dynims.core.wire.OptionalField;
import io.dynims.runtime.config.Config;

/**
 * Where the page links to. In each address, {@code {node}}, {@code {tier}}, {@code {namespace}} and
 * {@code {state}} stand for those of the tier.
 *
 * @param runbook what to do about a state; null for no link
 * @param dashboard a dashboard of the tier; null for no link
 * @param store the store's own page; null for no link
 */
public record PageLinks(
    @OptionalField String runbook, @OptionalField String dashboard, @OptionalField String store) {

  /** No links. */
  public static final PageLinks NONE = new PageLinks(null, null, null);

  /** Reads the settings. */
  public static PageLinks read(Config config) {
    return new PageLinks(
        link(config, "page.runbook.url"),
        link(config, "page.dashboard.url"),
        link(config, "page.store.url"));
  }

  private static String link(Config config, String key) {
    String text = config.text(key);
    if (text.isEmpty()) {
      return null;
    }
    // Nothing that a browser would run, such as javascript:.
    if (!text.matches("https?://[^\\s\"'<>]+")) {
      config.reject(
          key, "'" + text + "' is not an address such as https://grafana/d/1?node={node}");
    }
    return text;
  }
}
