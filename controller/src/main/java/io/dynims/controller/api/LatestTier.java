package io.dynims.controller.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.TierState;
import io.dynims.core.wire.TierView;
import io.dynims.core.wire.WireCodec;

/** The latest view of one tier for the streams, encoded at most once for all of their clients. */
final class LatestTier {

  private static final WireCodec<TierView> TIER = new WireCodec<>(TierView.class);
  private static final int ROW_CHARACTERS = 128;

  /** The fields that are not in a row. */
  private record Details(
      Mode mode,
      boolean paused,
      LawType law,
      String policy,
      String namespace,
      TierState state,
      String reason,
      Long minBytes,
      Long maxBytes,
      double threshold) {

    static Details of(TierView view) {
      return new Details(
          view.mode(),
          view.paused(),
          view.law(),
          view.policy(),
          view.namespace(),
          view.state(),
          view.stateReason(),
          view.minBytes(),
          view.maxBytes(),
          view.threshold());
    }
  }

  private final int index;
  private TierView view;
  private byte[] json;
  private byte[] row;
  private boolean withdrawn;

  LatestTier(int index, TierView view) {
    this.index = index;
    this.view = view;
  }

  /** Identifies the tier in rows. */
  int index() {
    return index;
  }

  TierView view() {
    return view;
  }

  /** Replaces the view; returns whether anything but its numbers has changed. */
  boolean update(TierView latest) {
    boolean changed = !Details.of(latest).equals(Details.of(view));
    view = latest;
    json = null;
    row = null;
    return changed;
  }

  void withdraw() {
    withdrawn = true;
  }

  /** Whether no policy names the tier any more. */
  boolean isWithdrawn() {
    return withdrawn;
  }

  /** The view as JSON. */
  byte[] json() {
    if (json == null) {
      json = TIER.encode(view);
    }
    return json;
  }

  /** The view's numbers as a JSON array; the client derives others, such as the utilization. */
  byte[] row() {
    if (row == null) {
      row = encodeRow().getBytes(UTF_8);
    }
    return row;
  }

  private String encodeRow() {
    StringBuilder text = new StringBuilder(ROW_CHARACTERS);
    text.append('[').append(index);
    text.append(',').append(view.desiredBytes());
    text.append(',').append(view.capacityBytes());
    text.append(',').append(view.usedBytes());
    text.append(',').append(view.unevictableBytes());
    text.append(',').append(view.memoryUsedBytes());
    text.append(',').append(view.memoryTotalBytes());
    text.append(',').append(view.sampledMillis());
    var decision = view.lastDecision();
    if (decision == null) {
      text.append(",null");
    } else {
      text.append(",\"").append(decision.limitedBy()).append('"');
    }
    text.append(',').append(view.unpersistedBytes());
    return text.append(',').append(view.hitRatio()).append(']').toString();
  }
}
