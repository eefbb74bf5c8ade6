package io.dynims.controller.push;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.core.gate.PushGate;
import io.dynims.core.wire.AckStatus;
import io.dynims.local.LocalAuthority;
import io.dynims.runtime.tls.TlsFiles;
import io.dynims.tier.HintRequest;
import io.dynims.tier.TierAccess;
import io.vertx.core.Vertx;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pushes to adapters with https addresses. */
class PushTlsTest {

  private final List<AutoCloseable> opened = new ArrayList<>();

  @TempDir private Path folder;

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  @Test
  void bothSidesShowCertificates() throws Exception {
    LocalAuthority authority = new LocalAuthority(folder, "authority", 1);
    PushFixture fixture = fixture(open(authority.issue("controller")), Optional.empty());
    fixture.apply(https(serve(fixture, authority.issue("adapter"))));

    for (long bytes = 400; bytes < 403; bytes++) {
      fixture.offer(target("n1", bytes));
      fixture.awaitAck("n1", bytes, AckStatus.Applied);
    }
  }

  @Test
  void anAdapterOfAnotherAuthorityIsNotPushedTo() throws Exception {
    LocalAuthority authority = new LocalAuthority(folder, "authority", 1);
    LocalAuthority other = new LocalAuthority(folder, "other", 1);
    PushFixture fixture = fixture(open(authority.issue("controller")), Optional.empty());
    fixture.apply(https(serve(fixture, other.issue("adapter"))));

    fixture.offer(target("n1", 400));

    await().untilAsserted(() -> assertThat(fixture.stateReason("n1")).contains("did not answer"));
  }

  @Test
  void anAdaptersCertificateHasToHaveTheNameThatIsAskedFor() throws Exception {
    LocalAuthority authority = new LocalAuthority(folder, "authority", 1);
    TlsFiles.Paths adapter = authority.issue("agents");
    PushFixture fixture = fixture(open(authority.issue("controller")), Optional.of("agents"));
    fixture.apply(https(serve(fixture, adapter)));
    fixture.offer(target("n1", 400));
    fixture.awaitAck("n1", 400, AckStatus.Applied);

    PushFixture stricter = fixture(open(authority.issue("controller")), Optional.of("others"));
    stricter.apply(https(serve(stricter, adapter)));
    stricter.offer(target("n1", 400));
    await().untilAsserted(() -> assertThat(stricter.stateReason("n1")).contains("did not answer"));
  }

  @Test
  void theControllersCertificateIsAllThatItNeeds() throws Exception {
    LocalAuthority authority = new LocalAuthority(folder, "authority", 1);
    TlsFiles adapter = open(authority.issue("agents"));
    TierAccess access =
        new TierAccess(Optional.empty(), Optional.of(adapter), Optional.of("controller"));
    PushFixture fixture = fixture(open(authority.issue("controller")), Optional.of("agents"));
    URI uri = fixture.server(new RecordingStore(), access).uri();
    fixture.apply(https(uri));
    fixture.offer(target("n1", 400));
    fixture.awaitAck("n1", 400, AckStatus.Applied);
    assertThat(hint(open(authority.issue("controller")), uri)).isEqualTo("job");

    PushFixture pretender = fixture(adapter, Optional.of("agents"));
    pretender.apply(https(uri));
    pretender.offer(target("n1", 300));
    await().untilAsserted(() -> assertThat(pretender.stateReason("n1")).contains("401"));
    assertThatThrownBy(() -> hint(adapter, uri)).hasMessageContaining("http.tls.client.name");
  }

  /** The owner of a hint that an adapter keeps. */
  private String hint(TlsFiles tls, URI adapter) throws Exception {
    Vertx vertx = Vertx.vertx();
    opened.add(() -> vertx.close().toCompletionStage().toCompletableFuture().get());
    HintSender sender = new HintSender(vertx, settings(tls, Optional.of("agents")));
    return sender
        .give(List.of(adapter), new HintRequest(null, "job", 1, null, null))
        .toCompletionStage()
        .toCompletableFuture()
        .get()
        .get(0)
        .owner();
  }

  /** A policy under which a target is pushed however long the first handshake takes. */
  private static String https(URI adapter) {
    return document("n1", adapter, "Enforce", "1000") + "  staleMetrics: {after: 1h}\n";
  }

  private PushFixture fixture(TlsFiles tls, Optional<String> serverName) {
    PushFixture fixture = new PushFixture(settings(tls, serverName));
    opened.add(fixture);
    return fixture;
  }

  private static PushSettings settings(TlsFiles tls, Optional<String> serverName) {
    return new PushSettings(
        60_000,
        300,
        new PushGate.Settings(5_000, 0, 0),
        Optional.empty(),
        AdapterTls.of(Optional.of(tls), serverName));
  }

  private URI serve(PushFixture fixture, TlsFiles.Paths paths) throws Exception {
    return fixture.server(new RecordingStore(), TierAccess.anyone().over(open(paths))).uri();
  }

  private TlsFiles open(TlsFiles.Paths paths) throws Exception {
    TlsFiles files = TlsFiles.open(paths);
    opened.add(files);
    return files;
  }
}
