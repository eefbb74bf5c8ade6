package io.dynims.policy;

import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads the documents of one YAML text. */
public final class PolicyText {

  /** The loader calls itself for each level, and so would overflow the stack. */
  private static final int MAX_DEPTH = 64;

  /** Text that is not YAML is one long value; and digits with a tag take long to convert. */
  private static final int MAX_UNQUOTED_LENGTH = 1_024;

  private static final LoadSettings SETTINGS =
      LoadSettings.builder().setSchema(new NumbersAsWritten()).build();

  /** The core schema, but what looks like a number stays the text that the user wrote. */
  private static final class NumbersAsWritten extends CoreSchema {

    @Override
    public ScalarResolver getScalarResolver() {
      ScalarResolver core = super.getScalarResolver();
      return (value, implicit) -> {
        Tag tag = core.resolve(value, implicit);
        return tag.equals(Tag.INT) || tag.equals(Tag.FLOAT) ? Tag.STR : tag;
      };
    }
  }

  private PolicyText() {}

  /**
   * The documents as plain values; empty ones are left out.
   *
   * @throws IllegalArgumentException when the text is not YAML, with line and column, or is beyond
   *     what a document can need
   */
  public static List<Object> documents(String text) {
    try {
      requireReadable(text);
      List<Object> documents = new ArrayList<>();
      for (Object document : new Load(SETTINGS).loadAllFromString(text)) {
        if (document != null) {
          documents.add(document);
        }
      }
      return documents;
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException("not YAML: " + oneLine(e.getMessage()), e);
    }
  }

  private static void requireReadable(String text) {
    int depth = 0;
    for (Event event : new Parse(SETTINGS).parseString(text)) {
      if (event instanceof CollectionStartEvent && ++depth > MAX_DEPTH) {
        throw new IllegalArgumentException("not YAML: nested deeper than " + MAX_DEPTH);
      } else if (event instanceof CollectionEndEvent) {
        depth--;
      } else if (event instanceof ScalarEvent scalar && isTooLong(scalar)) {
        throw new IllegalArgumentException(
            "not YAML: a value of more than "
                + MAX_UNQUOTED_LENGTH
                + " characters is not in quotes: "
                + scalar.getValue().substring(0, 32)
                + "…");
      }
    }
  }

  private static boolean isTooLong(ScalarEvent scalar) {
    return scalar.getValue().length() > MAX_UNQUOTED_LENGTH
        && (scalar.isPlain() || scalar.getTag().isPresent());
  }

  private static String oneLine(String message) {
    return message.strip().replaceAll("\\s*\\n\\s*", "; ");
  }
}
