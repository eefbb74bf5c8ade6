package io.dynims.controller;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.dynims.policy.Vacancy;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The brake on mass withdrawal: an emptied folder, an emptied file, or a selector that matches
 * nothing withdraws policies only after it has been so for some time.
 */
final class WithdrawalDelay {

  private final long delayNanos;
  private final Map<String, Long> sinceNanos = new HashMap<>();
  private Long everythingSinceNanos;

  /**
   * A brake.
   *
   * @param delayMillis how long nothing is withdrawn; 0 to withdraw at once
   */
  WithdrawalDelay(long delayMillis) {
    this.delayNanos = MILLISECONDS.toNanos(delayMillis);
  }

  /** The part of the current vacancy that is too recent to withdraw anything. */
  Vacancy pending(Vacancy vacancy, long nowNanos) {
    if (!vacancy.everything()) {
      everythingSinceNanos = null;
    } else if (everythingSinceNanos == null) {
      everythingSinceNanos = nowNanos;
    }
    sinceNanos.keySet().retainAll(vacancy.tiers());
    vacancy.tiers().forEach(tier -> sinceNanos.putIfAbsent(tier, nowNanos));
    Set<String> tiers =
        sinceNanos.entrySet().stream()
            .filter(each -> isRecent(each.getValue(), nowNanos))
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet());
    return new Vacancy(isRecent(everythingSinceNanos, nowNanos), tiers);
  }

  private boolean isRecent(Long since, long nowNanos) {
    return since != null && nowNanos - since < delayNanos;
  }
}
