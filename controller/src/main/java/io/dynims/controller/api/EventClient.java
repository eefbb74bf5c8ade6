package io.dynims.controller.api;

import io.vertx.core.http.HttpServerRequest;

/** One client of an event stream. */
final class EventClient {

  private final HttpServerRequest request;
  private final EventQueue queue;
  private final PacedWriter writer;
  private long acceptedSlices;
  private int stalledFlushes;

  EventClient(HttpServerRequest request, EventQueue queue) {
    this.request = request;
    this.queue = queue;
    this.writer = new PacedWriter(request.response(), queue::poll);
  }

  HttpServerRequest request() {
    return request;
  }

  EventQueue queue() {
    return queue;
  }

  PacedWriter writer() {
    return writer;
  }

  /** For how many flushes in a row the client has accepted nothing although there was something. */
  int countStalled() {
    boolean stalled = writer.unacceptedBytes() > 0 && writer.acceptedSlices() == acceptedSlices;
    acceptedSlices = writer.acceptedSlices();
    stalledFlushes = stalled ? stalledFlushes + 1 : 0;
    return stalledFlushes;
  }
}
