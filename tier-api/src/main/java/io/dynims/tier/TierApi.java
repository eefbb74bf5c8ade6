package io.dynims.tier;

import io.dynims.core.wire.WireCodec;

/** The Tier API's paths and the codecs of its bodies, for servers and clients alike. */
public final class TierApi {

  public static final String PATH = "/v1/tier";

  /** What the guard on the node decided; {@code since} and {@code limit} are its parameters. */
  public static final String DECISIONS_PATH = PATH + "/decisions";

  /** What jobs of the node are about to take; {@code owner} is the parameter of DELETE. */
  public static final String HINTS_PATH = PATH + "/hints";

  /** The most decisions in one answer. */
  public static final int MAX_DECISIONS = 64;

  public static final WireCodec<TierStatus> STATUS = new WireCodec<>(TierStatus.class);
  public static final WireCodec<TierRequest> REQUEST = new WireCodec<>(TierRequest.class);
  public static final WireCodec<GuardDecisions> DECISIONS = new WireCodec<>(GuardDecisions.class);
  public static final WireCodec<HintRequest> HINT = new WireCodec<>(HintRequest.class);
  public static final WireCodec<NodeHints> HINTS = new WireCodec<>(NodeHints.class);
  public static final WireCodec<Problem> PROBLEM = new WireCodec<>(Problem.class);

  private TierApi() {}
}
