package io.dynims.tier;

import io.dynims.core.wire.WireCodec;

/** The Tier API's path and the codecs of its bodies, for servers and clients alike. */
public final class TierApi {

  public static final String PATH = "/v1/tier";

  public static final WireCodec<TierStatus> STATUS = new WireCodec<>(TierStatus.class);
  public static final WireCodec<TierRequest> REQUEST = new WireCodec<>(TierRequest.class);
  public static final WireCodec<Problem> PROBLEM = new WireCodec<>(Problem.class);

  private TierApi() {}
}
