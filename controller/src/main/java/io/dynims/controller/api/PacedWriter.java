package io.dynims.controller.api;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.Supplier;

/**
 * Writes a response in slices, no faster than its client accepts them. So a client that reads
 * nothing occupies little more than {@link #WINDOW_BYTES}.
 */
final class PacedWriter {

  /** The size that slices should have. */
  static final int SLICE_BYTES = 16 << 10;

  /** How much may be written that the client has not accepted. */
  static final int WINDOW_BYTES = 64 << 10;

  private final HttpServerResponse response;
  private final Supplier<Buffer> slices;
  private long unacceptedBytes;
  private long acceptedSlices;
  private boolean writing;

  /**
   * A writer of one response.
   *
   * @param slices the next slice; null if there is none now
   */
  PacedWriter(HttpServerResponse response, Supplier<Buffer> slices) {
    this.response = response;
    this.slices = slices;
  }

  /** Writes what the client accepts now; to be called when there may be more to write. */
  void write() {
    if (writing) {
      return;
    }
    writing = true;
    try {
      boolean more = true;
      while (more && unacceptedBytes < WINDOW_BYTES && !response.ended() && !response.closed()) {
        Buffer slice = slices.get();
        more = slice != null;
        if (more) {
          write(slice);
        }
      }
    } finally {
      writing = false;
    }
  }

  private void write(Buffer slice) {
    unacceptedBytes += slice.length();
    response
        .write(slice)
        .onComplete(
            written -> {
              unacceptedBytes -= slice.length();
              acceptedSlices++;
              // A failure means that the client is gone.
              if (written.succeeded()) {
                write();
              }
            });
  }

  /** Written bytes that the client has not accepted. */
  long unacceptedBytes() {
    return unacceptedBytes;
  }

  /** How many slices the client has accepted. */
  long acceptedSlices() {
    return acceptedSlices;
  }
}
