package io.dynims.redis;

import static io.dynims.redis.RedisProcess.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.adapter.runtime.LogLines;
import io.dynims.adapter.runtime.ServerProcess;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A real Redis server, and users whom it refuses. */
class RedisRightsIT {

  private static final long LIMIT_BYTES = 64L << 20;

  @TempDir private Path folder;
  private Path passwordFile;

  @BeforeEach
  void writePassword() throws IOException {
    passwordFile = Files.writeString(folder.resolve("password"), "first\n");
  }

  private LimitedTier tier(ServerProcess server) throws InterruptedException {
    return RedisProcess.tier(
        RedisProcess.settings(server, Optional.of(passwordFile), Optional.empty()), LIMIT_BYTES);
  }

  @ParameterizedTest
  @CsvSource({
    "+ping, ping",
    "+info, info",
    "+config|set, config|set",
    "+memory|purge, memory|purge"
  })
  void namesTheCommandThatAUserMayNotSend(String lacking, String command) throws Exception {
    try (ServerProcess server =
            RedisProcess.start(LIMIT_BYTES, RedisProcess.user("first", lacking));
        LogLines lines = new LogLines(LimitedTier.class);
        LimitedTier tier = tier(server)) {
      // What follows are the server's own words, which differ between versions, with the command.
      String told =
          "localhost:%d refuses the user dynims: NOPERM .*'%s'.*"
              .formatted(server.address().getPort(), Pattern.quote(command));

      assertThatThrownBy(tier::status).hasMessageMatching(told);
      assertThatThrownBy(() -> tier.resize(LIMIT_BYTES / 2)).hasMessageMatching(told);
      var unused = tier.reconcile();
      unused = tier.reconcile();
      assertThat(lines.with("")).singleElement().asString().matches("redis: " + told);
    }
  }

  @Test
  void tellsOnceThatARightWasTakenAwayAndGoesOnWhenItIsBack() throws Exception {
    try (ServerProcess server = RedisProcess.start(LIMIT_BYTES, RedisProcess.user("first"));
        LogLines lines = new LogLines(LimitedTier.class);
        LimitedTier tier = tier(server)) {
      setUser(server, AclSetuserArgs.Builder.removeCommand(CommandType.CONFIG));

      assertThatThrownBy(() -> tier.resize(LIMIT_BYTES / 2)).hasMessageContaining("'config|set'");
      RedisProcess.awaitReason(
          tier,
          "localhost:%d refuses the user dynims: NOPERM".formatted(server.address().getPort()));
      var unused = tier.reconcile();
      unused = tier.reconcile();
      assertThat(lines.with("config|set")).hasSize(1);

      setUser(server, AclSetuserArgs.Builder.addCommand(CommandType.CONFIG));

      await().until(() -> tier.status().capacityBytes() == LIMIT_BYTES / 2);
    }
  }

  @Test
  void readsThePasswordAgainForANewConnection() throws Exception {
    try (ServerProcess server = RedisProcess.start(LIMIT_BYTES, RedisProcess.user("first"));
        LimitedTier tier = tier(server)) {
      tier.resize(LIMIT_BYTES / 2);
      setUser(server, AclSetuserArgs.Builder.resetpass().addPassword("second"));

      assertThat(tier.resize(LIMIT_BYTES / 4).capacityBytes()).isEqualTo(LIMIT_BYTES / 4);
      endConnections(server);
      RedisProcess.awaitReason(
          tier,
          "localhost:%d refuses the user dynims with the password in %s: WRONGPASS"
              .formatted(server.address().getPort(), passwordFile));
      Files.writeString(passwordFile, "second\n");

      await().until(() -> tier.status().capacityBytes() == LIMIT_BYTES / 4);
    }
  }

  @Test
  void namesTheSettingOfAPasswordThatTheServerAsksFor() throws Exception {
    try (ServerProcess server = RedisProcess.start(LIMIT_BYTES, List.of("--requirepass", "first"));
        LimitedTier tier =
            RedisProcess.tier(
                RedisProcess.settings(server, Optional.empty(), Optional.empty()), LIMIT_BYTES)) {
      assertThatThrownBy(tier::status)
          .hasMessageContaining("asks for a password, store.password.file: NOAUTH");
    }
  }

  private static void setUser(ServerProcess server, AclSetuserArgs changes) {
    var unused = RedisProcess.ask(server, redis -> redis.aclSetuser(RedisProcess.USER, changes));
  }

  private static void endConnections(ServerProcess server) {
    var unused =
        RedisProcess.ask(
            server, redis -> redis.clientKill(KillArgs.Builder.user(RedisProcess.USER)));
  }
}
