package io.dynims.redis;

import static io.dynims.redis.RedisProcess.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.adapter.runtime.ServerProcess;
import io.dynims.tier.TierStatus;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Redis server and its replica, each with an adapter. */
class RedisReplicaIT {

  private static final long MEBIBYTE = 1L << 20;
  private static final long LIMIT_BYTES = 128 * MEBIBYTE;
  private static final long DATA_BYTES = 64 * MEBIBYTE;
  private static final String VALUE = "v".repeat(64 << 10);

  /** What the server itself needs, beside data. */
  private static final long SLACK_BYTES = 2 * MEBIBYTE;

  /** A full copy passes through files. */
  @TempDir private Path masterFolder;

  @TempDir private Path replicaFolder;
  @AutoClose private ServerProcess master;
  @AutoClose private ServerProcess replica;
  @AutoClose private LimitedTier ofMaster;
  @AutoClose private LimitedTier ofReplica;

  @BeforeEach
  void serve() throws Exception {
    master =
        RedisProcess.start(
            LIMIT_BYTES,
            List.of("--dir", masterFolder.toString(), "--repl-diskless-sync-delay", "0"));
    fill(master);
    replica =
        RedisProcess.start(
            LIMIT_BYTES,
            List.of(
                "--dir",
                replicaFolder.toString(),
                "--repl-diskless-sync-delay",
                "0",
                "--replicaof",
                "127.0.0.1",
                Integer.toString(master.address().getPort())));
    await()
        .until(
            () -> RedisProcess.ask(replica, RedisCommands::info).contains("master_link_status:up"));
    ofMaster = tier(master);
    ofReplica = tier(replica);
  }

  private static void fill(ServerProcess server) {
    var unused =
        RedisProcess.ask(
            server,
            redis -> {
              for (int i = 0; i < DATA_BYTES / VALUE.length(); i++) {
                redis.set("k" + i, VALUE);
              }
              return null;
            });
  }

  private static LimitedTier tier(ServerProcess server) throws InterruptedException {
    return RedisProcess.tier(
        RedisProcess.settings(server, Optional.empty(), Optional.empty()), LIMIT_BYTES);
  }

  @Test
  void aReplicaKeepsItsDataAndTellsThatItCannotBeEvicted() throws Exception {
    long keys = keys(master);

    shrink(ofReplica, 16 * MEBIBYTE);

    await().until(() -> ofReplica.status().unevictableBytes() > 32 * MEBIBYTE);
    TierStatus status = ofReplica.status();
    assertThat(status.capacityBytes()).isEqualTo(16 * MEBIBYTE);
    assertThat(status.occupiedBytes()).isGreaterThan(DATA_BYTES);
    assertThat(keys(replica)).isEqualTo(keys);
  }

  @Test
  void aReplicaFollowsWhatItsMasterEvicts() throws Exception {
    shrink(ofReplica, 32 * MEBIBYTE);
    shrink(ofMaster, 32 * MEBIBYTE);

    await().until(() -> ofReplica.status().usedBytes() <= 32 * MEBIBYTE + SLACK_BYTES);
    await().until(() -> keys(replica) == keys(master));
    assertThat(keys(replica)).isPositive();
    await().until(() -> ofReplica.status().occupiedBytes() < DATA_BYTES);
  }

  @Test
  void aReplicaThatMindsItsOwnLimitEvictsStepByStep() throws Exception {
    long keys = keys(master);
    var unused =
        RedisProcess.ask(replica, redis -> redis.configSet("replica-ignore-maxmemory", "no"));

    shrink(ofReplica, 16 * MEBIBYTE);

    await().until(() -> ofReplica.status().usedBytes() <= 16 * MEBIBYTE + SLACK_BYTES);
    assertThat(keys(master)).isEqualTo(keys);
  }

  @Test
  void theLimitCountsWhenTheReplicaBecomesAMasterAndNoLongerForTheOldOne() throws Exception {
    shrink(ofReplica, 16 * MEBIBYTE);
    assertThat(ofReplica.status().usedBytes()).isGreaterThan(48 * MEBIBYTE);

    master.kill();
    var unused = RedisProcess.ask(replica, redis -> redis.replicaofNoOne());

    await().until(() -> ofReplica.status().usedBytes() <= 16 * MEBIBYTE + SLACK_BYTES);
    await().until(() -> ofReplica.status().occupiedBytes() < DATA_BYTES);
    await().until(() -> ofReplica.status().unevictableBytes() <= SLACK_BYTES);

    master.start();
    unused =
        RedisProcess.ask(
            master, redis -> redis.replicaof("127.0.0.1", replica.address().getPort()));
    await().until(() -> keys(master) == keys(replica));
    long keys = keys(replica);
    shrink(ofMaster, 9 * MEBIBYTE);
    assertThat(keys(master)).isEqualTo(keys);
  }

  /** Returns when the limit is set. */
  private static void shrink(LimitedTier tier, long bytes) {
    await().until(() -> tier.resize(bytes).capacityBytes() == bytes);
  }

  private static long keys(ServerProcess server) {
    return RedisProcess.ask(server, RedisCommands::dbsize);
  }
}
