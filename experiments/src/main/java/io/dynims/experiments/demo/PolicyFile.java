package io.dynims.experiments.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** The demo's MemoryTier document. */
final class PolicyFile {

  private PolicyFile() {}

  /** Puts the document in place at once, so that a reader never sees half of it. */
  static void write(Path file, String document) throws IOException {
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.writeString(partial, document);
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  static String document(DemoSettings settings, long budgetBytes) {
    return String.format(
        Locale.ROOT,
        """
        # Written by ./dynims demo. Without this line ./dynims up leaves the file as it is.
        apiVersion: dynims.io/v1alpha1
        kind: MemoryTier
        metadata: {name: %s}
        spec:
          mode: Enforce
          store: {type: Alluxio}
          nodes: {list: [{name: %s, adapter: "%s"}]}
          capacity: {min: 0, max: %d}
          law: {type: Feedback, threshold: %s, gain: %s, interval: 100ms}
          memory: {total: %d}
          staleMetrics: {after: 2s}
        """,
        settings.tier(),
        settings.node(),
        settings.adapter(),
        settings.tierMaxBytes(),
        settings.threshold(),
        settings.gain(),
        budgetBytes);
  }
}
