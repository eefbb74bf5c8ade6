package io.dynims.policy;

import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads the documents of one YAML text. */
public final class PolicyText {

  private PolicyText() {}

  /**
   * The documents as plain values; empty ones are left out.
   *
   * @throws IllegalArgumentException when the text is not YAML, with line and column
   */
  public static List<Object> documents(String text) {
    try {
      List<Object> documents = new ArrayList<>();
      for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
        if (document != null) {
          documents.add(document);
        }
      }
      return documents;
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException("not YAML: " + oneLine(e.getMessage()), e);
    }
  }

  private static String oneLine(String message) {
    return message.strip().replaceAll("\\s*\\n\\s*", "; ");
  }
}
