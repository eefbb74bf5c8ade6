package io.dynims.controller.api;

import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.WireCodec;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Server-sent events: a {@code snapshot} of all tiers, then {@code tier} for each change and {@code
 * withdrawn} for each removal.
 */
final class TierEvents implements EventQueue {

  private static final WireCodec<TierKey> KEY = new WireCodec<>(TierKey.class);
  private static final int BEATS_PER_COMMENT = 15;

  private final Set<LatestTier> changed = new LinkedHashSet<>();
  private SnapshotEvent snapshot;
  private int beats;

  @Override
  public void start(List<LatestTier> tiers) {
    snapshot = new SnapshotEvent("", tiers, (slice, tier) -> slice.appendBytes(tier.json()));
  }

  @Override
  public void add(LatestTiers.Changes changes) {
    changed.addAll(changes.complete());
    changed.addAll(changes.numbers());
  }

  @Override
  public void beat() {
    beats++;
  }

  @Override
  public Buffer poll() {
    Buffer slice = Buffer.buffer();
    if (snapshot != null && snapshot.appendTo(slice)) {
      snapshot = null;
    }
    var next = changed.iterator();
    while (snapshot == null && next.hasNext() && slice.length() < PacedWriter.SLICE_BYTES) {
      append(slice, next.next());
      next.remove();
    }
    if (snapshot == null && beats >= BEATS_PER_COMMENT) {
      slice.appendString(":\n\n");
      beats = 0;
    }
    return slice.length() == 0 ? null : slice;
  }

  private static void append(Buffer slice, LatestTier tier) {
    if (tier.isWithdrawn()) {
      TierKey key = new TierKey(tier.view().node(), tier.view().tier());
      slice.appendString("event: withdrawn\ndata: ").appendBytes(KEY.encode(key));
    } else {
      slice.appendString("event: tier\ndata: ").appendBytes(tier.json());
    }
    slice.appendString("\n\n");
  }
}
