package io.dynims.cli.stack;

import io.dynims.runtime.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fills in the bundled configuration files. */
final class Template {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(\\w+)}");

  private final Map<String, String> values = new HashMap<>();

  Template(StackHome home, StackSettings settings) {
    StackTls tls = new StackTls(home, settings);
    values.put("kafkaProtocol", tls.kafkaProtocol());
    values.put("kafkaTls", tls.kafkaLines());
    values.put("adapterUrl", settings.adapterUrl());
    values.put("kafkaData", home.data("kafka").toString());
    values.put("alluxioJournal", home.data("alluxio-journal").toString());
    values.put("alluxioUfs", settings.alluxioUfs(home).toString());
    values.put("annotator", settings.text().get("alluxio.annotator"));
    values.put("alluxioTmp", home.data("alluxio-tmp").toString());
    values.put("tierPath", home.tier(settings.tierParent()).toString());
    values.put("tier", settings.store().key());
    values.put("storeType", settings.store().name());
    values.put("redisData", home.data(RedisParts.SERVER).toString());
    values.put("tierMinBytes", Long.toString(settings.store().minBytes()));
    values.put("tierMaxBytes", Long.toString(settings.tierMaxBytes()));
    values.put("blockSizeBytes", Long.toString(settings.blockSizeBytes()));
    values.put("nodeName", settings.nodeName());
    values.put("mode", settings.mode());
    values.put("law", settings.law().name());
    values.put("threshold", Double.toString(settings.threshold()));
    values.put("gain", settings.gain().map(gain -> ", gain: " + gain).orElse(""));
    values.put("intervalMillis", Long.toString(settings.intervalMillis()));
    values.put("staleAfterMillis", Long.toString(settings.staleAfterMillis()));
    values.put(
        "memory",
        settings.memoryTotalBytes().map(bytes -> "\n  memory: {total: " + bytes + "}").orElse(""));
    settings.ports().forEach((key, port) -> values.put(camelCase(key), port.toString()));
  }

  /** The bundled file of that name with every placeholder replaced. */
  String render(String name) {
    Matcher matcher = PLACEHOLDER.matcher(Config.resource(Template.class, name));
    StringBuilder out = new StringBuilder();
    while (matcher.find()) {
      String value = values.get(matcher.group(1));
      if (value == null) {
        throw new IllegalStateException(name + ": unknown placeholder " + matcher.group(1));
      }
      matcher.appendReplacement(out, Matcher.quoteReplacement(value));
    }
    return matcher.appendTail(out).toString();
  }

  /** Writes the rendered file into a folder and returns its path. */
  Path write(String name, Path folder) throws IOException {
    Files.createDirectories(folder);
    return Files.writeString(folder.resolve(name), render(name));
  }

  private static String camelCase(String key) {
    Matcher matcher = Pattern.compile("\\.(\\w)").matcher(key);
    return matcher.replaceAll(dotted -> dotted.group(1).toUpperCase(Locale.ROOT));
  }
}
