package io.dynims.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The option of commands that make checks: a line for each, or one document of JSON at the end. */
final class ReportFormat {

  enum Format {
    text,
    json
  }

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  @Option(
      names = {"-o", "--output"},
      defaultValue = "text",
      description = "Output format: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Format format;

  boolean isText() {
    return format == Format.text;
  }

  /**
   * The document.
   *
   * @param head what stands above the results, in this order
   */
  String json(Map<String, Object> head, boolean passed, List<?> results)
      throws JsonProcessingException {
    Map<String, Object> all = new LinkedHashMap<>(head);
    all.put("passed", passed);
    all.put("checks", results);
    return JSON.writeValueAsString(all);
  }
}
