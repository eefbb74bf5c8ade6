package io.dynims.controller.api;

import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Server-sent events for the web page: numbers, which change ten times per second, are sent as
 * short rows; a complete tier is sent only if it is new or anything but its numbers has changed.
 */
final class RowEvents implements EventQueue {

  private final Clock clock;
  private final Set<LatestTier> complete = new LinkedHashSet<>();
  private final Set<LatestTier> rows = new LinkedHashSet<>();
  private SnapshotEvent snapshot;
  private boolean beat;

  RowEvents(Clock clock) {
    this.clock = clock;
  }

  @Override
  public void start(List<LatestTier> tiers) {
    snapshot = new SnapshotEvent(now(), tiers, RowEvents::appendIndexed);
  }

  @Override
  public void add(LatestTiers.Changes changes) {
    complete.addAll(changes.complete());
    rows.addAll(changes.numbers());
  }

  @Override
  public void beat() {
    beat = true;
  }

  @Override
  public Buffer poll() {
    Buffer slice = Buffer.buffer();
    if (snapshot != null && snapshot.appendTo(slice)) {
      snapshot = null;
    }
    var next = complete.iterator();
    while (snapshot == null && next.hasNext() && hasRoom(slice)) {
      LatestTier tier = next.next();
      append(slice, tier);
      rows.remove(tier);
      next.remove();
    }
    if (snapshot == null && (beat || !rows.isEmpty()) && hasRoom(slice)) {
      appendRows(slice);
      beat = false;
    }
    return slice.length() == 0 ? null : slice;
  }

  private static boolean hasRoom(Buffer slice) {
    return slice.length() < PacedWriter.SLICE_BYTES;
  }

  private String now() {
    return "\"nowMillis\":" + clock.millis() + ",";
  }

  private static void append(Buffer slice, LatestTier tier) {
    if (tier.isWithdrawn()) {
      slice.appendString("event: withdrawn\ndata: {\"index\":" + tier.index() + "}");
    } else {
      slice.appendString("event: tier\ndata: ");
      appendIndexed(slice, tier);
    }
    slice.appendString("\n\n");
  }

  private static void appendIndexed(Buffer slice, LatestTier tier) {
    slice.appendString("{\"index\":" + tier.index() + ",\"tier\":");
    slice.appendBytes(tier.json()).appendString("}");
  }

  private void appendRows(Buffer slice) {
    slice.appendString("event: rows\ndata: {").appendString(now()).appendString("\"rows\":[");
    var next = rows.iterator();
    String separator = "";
    while (next.hasNext() && hasRoom(slice)) {
      LatestTier tier = next.next();
      slice.appendString(separator).appendBytes(tier.row());
      separator = ",";
      next.remove();
    }
    slice.appendString("]}\n\n");
  }
}
