package io.dynims.policy;

import io.dynims.core.wire.TierKey;
import java.util.Set;

/**
 * Where documents name no node for a reason that may be a mistake: a folder without documents, a
 * file that became empty, a selector that matches nothing, or a document that cannot be read. A
 * document that was deleted beside others leaves no vacancy.
 *
 * @param everything whether there is no document at all, so that no tier is known by name
 * @param tiers the names of the tiers whose documents name no node
 */
public record Vacancy(boolean everything, Set<String> tiers) {

  public static final Vacancy NONE = new Vacancy(false, Set.of());

  /** Whether a tier that no document names may be missing by mistake. */
  public boolean covers(TierKey key) {
    return everything || tiers.contains(key.tier());
  }
}
