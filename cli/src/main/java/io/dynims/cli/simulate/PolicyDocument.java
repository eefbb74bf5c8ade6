package io.dynims.cli.simulate;

import io.dynims.core.law.LawType;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads a file with one {@code MemoryTier}, as the controller and a cluster accept it. */
public final class PolicyDocument {

  /** The node that a selector, which needs a cluster, is taken to select. */
  private static final ClaimedNode ANY_NODE = new ClaimedNode("node", null);

  /** What every type of law has. */
  private static final Set<String> COMMON_PARAMETERS = Set.of("threshold", "interval");

  private PolicyDocument() {}

  /**
   * Reads the policy.
   *
   * @throws InputException naming the file and every field that is wrong
   */
  public static Policy read(Path file) throws InputException {
    return policy(file, onlyDocument(file));
  }

  /**
   * Reads the policy with another law. Threshold and interval stay; the other parameters of the
   * law, which differ in meaning from type to type, are the defaults of the new type.
   *
   * @throws InputException naming the file and every field that is wrong
   */
  public static Policy read(Path file, LawType type) throws InputException {
    Policy policy = read(file);
    return policy.law() == type ? policy : policy(file, withLaw(onlyDocument(file), type));
  }

  private static Object onlyDocument(Path file) throws InputException {
    List<Object> documents = documents(file);
    if (documents.size() != 1) {
      throw new InputException(
          file + ": has " + documents.size() + " documents; a simulation takes one MemoryTier");
    }
    return documents.get(0);
  }

  private static Policy policy(Path file, Object document) throws InputException {
    PolicyRegistry book = new PolicyRegistry();
    if (document instanceof Map<?, ?> fields && selectsNodes(fields)) {
      book.put(file.toString(), fields, List.of(ANY_NODE));
    } else {
      book.put(file.toString(), List.of(document));
    }
    PolicySet set = book.read();
    if (!set.errors().isEmpty()) {
      throw new InputException(
          set.errors().stream().map(PolicyError::toString).collect(Collectors.joining("\n")));
    }
    // Its nodes differ in name only.
    return set.tiers().get(0).policy();
  }

  /** A copy of a document that was read without errors. */
  private static Map<Object, Object> withLaw(Object document, LawType type) {
    Map<Object, Object> changed = new LinkedHashMap<>((Map<?, ?>) document);
    Map<Object, Object> spec = new LinkedHashMap<>((Map<?, ?>) changed.get("spec"));
    Map<Object, Object> law = new LinkedHashMap<>();
    if (spec.get("law") instanceof Map<?, ?> given) {
      law.putAll(given);
      law.keySet().retainAll(COMMON_PARAMETERS);
    }
    law.put("type", type.name());
    spec.put("law", law);
    changed.put("spec", spec);
    return changed;
  }

  /** The policy in mode {@code Enforce} with another threshold, in (0, 1). */
  public static Policy withThreshold(Policy policy, double threshold) {
    return policy.with(Mode.Enforce, threshold, policy.memoryBudgetBytes());
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
