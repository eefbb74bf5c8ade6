package io.dynims.controller;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.Topics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No client of the REST API delays a push. */
class ControllerRestIT {

  @TempDir Path folder;

  private final CountDownLatch blocked = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  @AutoClose private ControllerFixture fixture;

  @BeforeEach
  void start() throws Exception {
    fixture = new ControllerFixture(folder);
    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Enforce", "1000"));
    fixture.startController();
  }

  @AfterEach
  void close() throws Exception {
    release.countDown();
  }

  @Test
  void pushesAndAcksGoOnWhileTheRestLoopIsBlocked() throws Exception {
    fixture.rest().execute(this::block);
    blocked.await();

    pushTenTimes();
    assertThat(release.getCount()).as("still blocked").isEqualTo(1);
    release.countDown();
    await()
        .until(
            () -> fixture.json("/api/v1/tiers/n1").path("capacityBytes").asLong(), b -> b == 500);
  }

  @Test
  void pushesAndAcksGoOnWith200StreamsThatNobodyReads() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        String path = "/api/v1/stream" + (i % 2 == 0 ? "" : "?view=rows");
        clients.add(new RawClient(fixture.rest().port()).get(path));
      }
      pushTenTimes();
      assertThat(fixture.get("/api/v1/stream").statusCode()).isEqualTo(503);
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  private void block() {
    blocked.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void pushTenTimes() throws Exception {
    try (var acks = fixture.consumer(Topics.ACKS)) {
      for (int i = 1; i <= 10; i++) {
        fixture.send(target("n1", 400 + 10 * i));
        fixture.awaitAck(acks, 400 + 10 * i);
      }
    }
    assertThat(fixture.store.status().capacityBytes()).isEqualTo(500);
  }
}
