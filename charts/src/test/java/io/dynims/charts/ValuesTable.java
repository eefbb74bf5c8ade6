package io.dynims.charts;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.comments.CommentLine;
import org.snakeyaml.engine.v2.comments.CommentType;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** The values of a chart as a table: key, default, and the comment above the key. */
final class ValuesTable {

  private final Path file;
  private final List<String> rows = new ArrayList<>();

  ValuesTable(Path file) {
    this.file = file;
  }

  /**
   * The table, in Markdown.
   *
   * @throws IllegalStateException when a value has no comment
   */
  String markdown() throws IOException {
    String text = Files.readString(file);
    LoadSettings settings = LoadSettings.builder().setParseComments(true).build();
    Node root = new Compose(settings).composeString(text).orElseThrow();
    Object values = new Load(LoadSettings.builder().build()).loadFromString(text);
    add("", (MappingNode) root, (Map<?, ?>) values);
    return "| value | default | what it does |\n|---|---|---|\n" + String.join("", rows);
  }

  private void add(String prefix, MappingNode mapping, Map<?, ?> values) throws IOException {
    for (NodeTuple entry : mapping.getValue()) {
      String name = ((ScalarNode) entry.getKeyNode()).getValue();
      String key = prefix + name;
      String comment = comment(entry.getKeyNode());
      Object value = values.get(name);
      if (!comment.isEmpty()) {
        rows.add("| `%s` | %s | %s |\n".formatted(key, shown(value), comment.replace("|", "\\|")));
      } else if (entry.getValueNode() instanceof MappingNode inner) {
        add(key + ".", inner, (Map<?, ?>) value);
      } else {
        throw new IllegalStateException(key + ": has no comment in " + file);
      }
    }
  }

  /** The comment right above a key; an empty line ends what belongs to something else. */
  private static String comment(Node key) {
    List<CommentLine> lines = key.getBlockComments() == null ? List.of() : key.getBlockComments();
    int from = 0;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).getCommentType() == CommentType.BLANK_LINE) {
        from = i + 1;
      }
    }
    return lines.subList(from, lines.size()).stream()
        .map(line -> line.getValue().strip())
        .collect(Collectors.joining(" "));
  }

  private static String shown(Object value) throws IOException {
    boolean plain = value instanceof String text && !text.isEmpty();
    return "`" + (plain ? value : new ObjectMapper().writeValueAsString(value)) + "`";
  }
}
