package io.dynims.controller.api;

import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.Policy;

/**
 * What a simulation changes of a tier's policy; null for what stays.
 *
 * @param threshold r0, in (0, 1)
 * @param gain λ, above 0 and at most what the law allows
 */
record PolicyChange(LawType law, Double threshold, Double gain) {

  /**
   * The changed policy. With another law, the parameters that are not given and differ in meaning
   * from law to law are that law's defaults.
   *
   * @throws ApiException naming the parameter that is out of its range
   */
  Policy of(Policy policy) {
    boolean sameLaw = law == null || law == policy.law();
    LawType newLaw = sameLaw ? policy.law() : law;
    double ownGain = sameLaw ? policy.gain() : newLaw.defaultGain();
    ForecastParameters forecast =
        sameLaw ? policy.forecast() : newLaw.defaults(policy.intervalMillis());
    try {
      return policy.withLaw(
          newLaw,
          threshold == null ? policy.threshold() : threshold,
          gain == null ? ownGain : gain,
          forecast);
    } catch (IllegalArgumentException e) {
      String message = e.getMessage();
      int colon = message.indexOf(": ");
      throw ApiException.badQuery(message.substring(0, colon), message.substring(colon + 2));
    }
  }
}
