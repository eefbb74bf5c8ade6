package io.dynims.cli.simulate;

import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.policy.ClaimedNode;
import io.dynims.policy.PolicyError;
import io.dynims.policy.PolicyRegistry;
import io.dynims.policy.PolicySet;
import io.dynims.policy.PolicyText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads a file with one {@code MemoryTier}, as the controller and a cluster accept it. */
public final class PolicyDocument {

  /** The node that a selector, which needs a cluster, is taken to select. */
  private static final ClaimedNode ANY_NODE = new ClaimedNode("node", null);

  private PolicyDocument() {}

  /**
   * Reads the policy.
   *
   * @throws InputException naming the file and every field that is wrong
   */
  public static Policy read(Path file) throws InputException {
    List<Object> documents = documents(file);
    if (documents.size() != 1) {
      throw new InputException(
          file + ": has " + documents.size() + " documents; a simulation takes one MemoryTier");
    }
    PolicyRegistry book = new PolicyRegistry();
    if (documents.get(0) instanceof Map<?, ?> document && selectsNodes(document)) {
      book.put(file.toString(), document, List.of(ANY_NODE));
    } else {
      book.put(file.toString(), documents);
    }
    PolicySet set = book.read();
    if (!set.errors().isEmpty()) {
      throw new InputException(
          set.errors().stream().map(PolicyError::toString).collect(Collectors.joining("\n")));
    }
    // Its nodes differ in name only.
    return set.tiers().get(0).policy();
  }

  /** The policy in mode {@code Enforce}, with M as its budget. */
  static Policy enforced(Policy policy, long memoryTotalBytes) {
    return new Policy(
        policy.node(),
        policy.tier(),
        Mode.Enforce,
        policy.law(),
        policy.threshold(),
        policy.gain(),
        policy.forecast(),
        policy.minBytes(),
        policy.minRatio(),
        policy.maxBytes(),
        policy.maxRatio(),
        memoryTotalBytes,
        policy.intervalMillis(),
        policy.staleAfterMillis(),
        policy.onDelete());
  }

  private static List<Object> documents(Path file) throws InputException {
    try {
      if (!Files.exists(file)) {
        throw new InputException(file + ": does not exist");
      }
      return PolicyText.documents(Files.readString(file));
    } catch (CharacterCodingException e) {
      throw new InputException(file + ": is not UTF-8 text", e);
    } catch (IOException e) {
      throw new InputException(file + ": cannot be read: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new InputException(file + ": " + e.getMessage(), e);
    }
  }

  private static boolean selectsNodes(Map<?, ?> document) {
    return document.get("spec") instanceof Map<?, ?> spec
        && spec.get("nodes") instanceof Map<?, ?> nodes
        && nodes.containsKey("selector");
  }
}
