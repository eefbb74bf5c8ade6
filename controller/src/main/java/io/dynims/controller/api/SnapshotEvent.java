package io.dynims.controller.api;

import io.vertx.core.buffer.Buffer;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;

/** The first event of a stream, with all tiers, slice by slice. */
final class SnapshotEvent {

  private final String head;
  private final Iterator<LatestTier> tiers;
  private final BiConsumer<Buffer, LatestTier> encoder;
  private boolean begun;
  private boolean separate;

  /**
   * A snapshot.
   *
   * @param head the fields before the tiers
   * @param encoder appends a tier
   */
  SnapshotEvent(String head, List<LatestTier> tiers, BiConsumer<Buffer, LatestTier> encoder) {
    this.head = head;
    this.tiers = tiers.iterator();
    this.encoder = encoder;
  }

  /** Appends up to a slice, and returns whether the snapshot is complete. */
  boolean appendTo(Buffer slice) {
    if (!begun) {
      slice.appendString("event: snapshot\ndata: {").appendString(head).appendString("\"tiers\":[");
      begun = true;
    }
    while (tiers.hasNext() && slice.length() < PacedWriter.SLICE_BYTES) {
      LatestTier tier = tiers.next();
      if (!tier.isWithdrawn()) {
        if (separate) {
          slice.appendString(",");
        }
        encoder.accept(slice, tier);
        separate = true;
      }
    }
    if (tiers.hasNext()) {
      return false;
    }
    slice.appendString("]}\n\n");
    return true;
  }
}
