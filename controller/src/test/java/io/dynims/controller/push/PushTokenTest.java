package io.dynims.controller.push;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.AckStatus;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.tier.TierAccess;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which token the controller sends to adapters that ask for one. */
class PushTokenTest {

  private static final String OLD = "old-token-0123456789";
  private static final String NEW = "new-token-0123456789";
  private static final String OTHER = "other-token-0123456789";
  private static final String MAX = "1000";

  private final List<AutoCloseable> opened = new ArrayList<>();

  @TempDir private Path folder;

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  @Test
  void theFirstTokenThatAnAdapterAcceptsIsSent() throws Exception {
    PushFixture fixture = fixture(tokens("controller", NEW + "\n" + OLD));
    URI current = serve(fixture, NEW);
    URI behind = serve(fixture, OLD);
    fixture.apply(document("n1", current, "Enforce", MAX), document("n2", behind, "Enforce", MAX));

    for (long bytes = 400; bytes < 403; bytes++) {
      fixture.offer(target("n1", bytes));
      fixture.offer(target("n2", bytes));
      fixture.awaitAck("n1", bytes, AckStatus.Applied);
      fixture.awaitAck("n2", bytes, AckStatus.Applied);
    }
    assertThat(fixture.acks).noneMatch(ack -> ack.status() == AckStatus.Failed);
  }

  @Test
  void tokensChangeOnBothSidesWithoutALostPush() throws Exception {
    Path controllers = Files.writeString(folder.resolve("controller"), OLD);
    Path adapters = Files.writeString(folder.resolve("adapter"), OLD);
    TokenFile accepted = open(adapters);
    TokenFile sent = open(controllers);
    PushFixture fixture = fixture(sent);
    URI adapter = fixture.server(new RecordingStore(), TierAccess.holdersOf(accepted)).uri();
    fixture.apply(document("n1", adapter, "Enforce", MAX));
    long bytes = 300;

    for (List<String> step : List.of(List.of(NEW, OLD), List.of(NEW))) {
      // The controller is first with the new token, the adapter first without the old one.
      Files.write(controllers, step);
      await().until(() -> sent.tokens().equals(step));
      fixture.offer(target("n1", ++bytes));
      fixture.awaitAck("n1", bytes, AckStatus.Applied);
      if (step.size() > 1) {
        Files.write(adapters, step);
        await().until(() -> accepted.tokens().equals(step));
      }
      fixture.offer(target("n1", ++bytes));
      fixture.awaitAck("n1", bytes, AckStatus.Applied);
    }
    Files.writeString(adapters, NEW);
    await().until(() -> accepted.tokens().equals(List.of(NEW)));
    fixture.offer(target("n1", ++bytes));
    fixture.awaitAck("n1", bytes, AckStatus.Applied);

    assertThat(fixture.acks).noneMatch(ack -> ack.status() == AckStatus.Failed);
  }

  @Test
  void aRefusedTokenIsToldInTheTiersState() throws Exception {
    PushFixture fixture = fixture(tokens("controller", OTHER));
    RecordingStore store = new RecordingStore();
    URI adapter = fixture.server(store, TierAccess.holdersOf(tokens("adapter", NEW))).uri();
    fixture.apply(document("n1", adapter, "Enforce", MAX));

    fixture.offer(target("n1", 400));

    fixture.awaitAck("n1", 400, AckStatus.Failed);
    await()
        .untilAsserted(
            () ->
                assertThat(fixture.stateReason("n1"))
                    .contains("401", "Unauthorized", "http.token.file")
                    .doesNotContain(OTHER, NEW));
    assertThat(store.resizes).isEmpty();
  }

  private PushFixture fixture(TokenFile tokens) {
    PushFixture fixture = new PushFixture(PushFixture.settings(tokens));
    opened.add(fixture);
    return fixture;
  }

  private URI serve(PushFixture fixture, String token) throws Exception {
    return fixture.server(new RecordingStore(), TierAccess.holdersOf(tokens(token, token))).uri();
  }

  private TokenFile tokens(String name, String content) throws Exception {
    return open(Files.writeString(folder.resolve(name), content));
  }

  private TokenFile open(Path file) throws Exception {
    TokenFile tokens = TokenFile.open(file);
    opened.add(tokens);
    return tokens;
  }
}
