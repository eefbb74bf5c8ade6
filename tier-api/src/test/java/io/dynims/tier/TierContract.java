package io.dynims.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.AckStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The contract that every store behind the Tier API must fulfil. A store's own test extends this
 * class, provides the store and fills it.
 */
public abstract class TierContract {

  private static final long LEASE_MILLIS = 60_000;

  @AutoClose private TierServer server;
  private TierClient client;
  private long sampledMillis = 1_000;

  /** The store under test, running, with at least 1 MiB between its bounds. */
  protected abstract TierStore store() throws Exception;

  /** Writes data until the tier is full at the capacity in force. */
  protected abstract void fill() throws Exception;

  @BeforeEach
  final void serve() throws Exception {
    server = TierServer.start(anyPort(), store(), GuardSettings.none(), TierAccess.anyone());
    client = new TierClient(server.uri());
  }

  @Test
  void reportsItsBoundsAndTheCapacityInForce() throws Exception {
    TierStatus status = ok(client.get());

    assertThat(status.tier()).isNotBlank();
    assertThat(status.storeVersion()).isNotBlank();
    assertThat(status.minBytes()).isNotNegative();
    assertThat(status.maxBytes()).isGreaterThanOrEqualTo(status.minBytes() + (1 << 20));
    assertThat(status.capacityBytes()).isBetween(status.minBytes(), status.maxBytes());
    assertThat(status.usedBytes()).isBetween(0L, status.maxBytes());
  }

  @Test
  void capacityIsExactToTheByte() throws Exception {
    long max = ok(client.get()).maxBytes();

    for (long bytes : new long[] {max - 1, max - 123_457, max / 2 + 1, max - 1_000_003, max}) {
      TierStatus status = ok(put(bytes));
      assertThat(status.capacityBytes()).isEqualTo(bytes);
      assertThat(ok(client.get()).capacityBytes()).isEqualTo(bytes);
    }
  }

  @Test
  void repeatingARequestChangesNothing() throws Exception {
    long bytes = ok(client.get()).maxBytes() - 4_099;
    TierRequest request = new TierRequest(bytes, ++sampledMillis, LEASE_MILLIS);

    assertThat(ok(client.put(request)).capacityBytes()).isEqualTo(bytes);
    assertThat(ok(client.put(request)).capacityBytes()).isEqualTo(bytes);
  }

  @Test
  void shrinkingAFullTierFreesItsBytes() throws Exception {
    long max = ok(client.get()).maxBytes();
    ok(put(max));
    fill();
    assertThat(ok(client.get()).usedBytes()).isGreaterThan(max / 2);

    TierStatus shrunk = putUntilApplied(max / 4);

    assertThat(shrunk.capacityBytes()).isEqualTo(max / 4);
    assertThat(shrunk.unevictableBytes()).isZero();
    await()
        .untilAsserted(() -> assertThat(ok(client.get()).usedBytes()).isLessThanOrEqualTo(max / 4));
  }

  @Test
  void usedBytesAreDataAndNotReservations() throws Exception {
    TierStatus status = ok(put(ok(client.get()).minBytes()));

    assertThat(status.capacityBytes()).isEqualTo(status.minBytes());
    assertThat(status.usedBytes()).isLessThanOrEqualTo(status.minBytes());
  }

  @Test
  void aboveItsMaximumItAppliesTheMaximumAndAnswersPartial() throws Exception {
    long max = ok(client.get()).maxBytes();

    for (long bytes : new long[] {max + 1, Long.MAX_VALUE}) {
      TierReply reply = put(bytes);
      assertThat(reply.status()).isEqualTo(AckStatus.Partial);
      assertThat(reply.tier().capacityBytes()).isEqualTo(max);
    }
  }

  @Test
  void belowItsMinimumItAppliesTheMinimumAndAnswersPartial() throws Exception {
    long min = ok(client.get()).minBytes();
    if (min == 0) { // Nothing is below it.
      assertThat(putUntilApplied(0).capacityBytes()).isZero();
      return;
    }

    TierReply reply = put(min - 1);

    assertThat(reply.status()).isEqualTo(AckStatus.Partial);
    assertThat(reply.tier().capacityBytes()).isEqualTo(min);
  }

  @Test
  void rejectsASampleOlderThanTheLastApplied() throws Exception {
    long max = ok(client.get()).maxBytes();
    ok(client.put(new TierRequest(max - 10, 5_000, LEASE_MILLIS)));

    TierReply reply = client.put(new TierRequest(max - 20, 4_999, LEASE_MILLIS));

    assertThat(reply.status()).isEqualTo(AckStatus.Failed);
    assertThat(reply.message()).contains("409", "sampledMillis: 4999 is older");
    assertThat(ok(client.get()).capacityBytes()).isEqualTo(max - 10);
  }

  @Test
  void acceptsAnOlderSampleAfterTheLeaseExpired() throws Exception {
    long max = ok(client.get()).maxBytes();
    ok(client.put(new TierRequest(max - 10, 5_000, 1)));
    await().until(() -> Boolean.FALSE.equals(ok(client.get()).leaseHeld()));

    assertThat(ok(client.get()).capacityBytes()).isEqualTo(max - 10);
    assertThat(ok(client.put(new TierRequest(max - 20, 4_000, LEASE_MILLIS))).capacityBytes())
        .isEqualTo(max - 20);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"desiredBytes\":-1,\"sampledMillis\":1,\"leaseMillis\":1} | desiredBytes: -1 is below 0",
        "{\"sampledMillis\":1,\"leaseMillis\":1} | desiredBytes",
        "{\"desiredBytes\":\"1\",\"sampledMillis\":1,\"leaseMillis\":1} | desiredBytes",
        "{\"desiredBytes\":1.5,\"sampledMillis\":1,\"leaseMillis\":1} | desiredBytes",
        "{\"desiredBytes\":1,\"leaseMillis\":1} | sampledMillis",
        "{\"desiredBytes\":1,\"sampledMillis\":1,\"leaseMillis\":0} | leaseMillis: 0",
        "{\"desiredBytes\":99999999999999999999,\"sampledMillis\":1,\"leaseMillis\":1} | desiredBytes",
        "not json | not JSON",
        "[] | TierRequest",
        "'' | empty"
      })
  void namesTheInvalidFieldAndChangesNothing(String body, String expected) throws Exception {
    long before = ok(client.get()).capacityBytes();

    TierReply reply = client.put(body.getBytes(StandardCharsets.UTF_8));

    assertThat(reply.status()).isEqualTo(AckStatus.Failed);
    assertThat(reply.message()).contains("400").contains(expected);
    assertThat(ok(client.get()).capacityBytes()).isEqualTo(before);
  }

  private TierReply put(long desiredBytes) throws InterruptedException {
    return client.put(new TierRequest(desiredBytes, ++sampledMillis, LEASE_MILLIS));
  }

  /** A store may need more than one request for a large step, but must complete it. */
  private TierStatus putUntilApplied(long desiredBytes) {
    return await()
        .until(() -> put(desiredBytes), reply -> reply.status() == AckStatus.Applied)
        .tier();
  }

  private static TierStatus ok(TierReply reply) {
    assertThat(reply.message()).isEmpty();
    assertThat(reply.status()).isEqualTo(AckStatus.Applied);
    return reply.tier();
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }
}
