package io.dynims.controller.push;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.authority.LocalAuthority;
import io.dynims.core.gate.PushGate;
import io.dynims.core.tls.TlsFiles;
import io.dynims.core.wire.AckStatus;
import io.dynims.tier.TierAccess;
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
  void bothSidesShowCertificates() throws Exception {
    LocalAuthority authority = new LocalAuthority(folder, "authority", 1);
    PushFixture fixture = fixture(open(authority.issue("controller")), Optional.empty());
    fixture.apply(document("n1", serve(fixture, authority.issue("adapter")), "Enforce", MAX));

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
    fixture.apply(document("n1", serve(fixture, other.issue("adapter")), "Enforce", MAX));

    fixture.offer(target("n1", 400));

    await().untilAsserted(() -> assertThat(fixture.stateReason("n1")).contains("did not answer"));
  }

  @Test
  void anAdaptersCertificateHasToHaveTheNameThatIsAskedFor() throws Exception {
    LocalAuthority authority = new LocalAuthority(folder, "authority", 1);
    TlsFiles.Paths adapter = authority.issue("agents");
    PushFixture fixture = fixture(open(authority.issue("controller")), Optional.of("agents"));
    fixture.apply(document("n1", serve(fixture, adapter), "Enforce", MAX));
    fixture.offer(target("n1", 400));
    fixture.awaitAck("n1", 400, AckStatus.Applied);

    PushFixture stricter = fixture(open(authority.issue("controller")), Optional.of("others"));
    stricter.apply(document("n1", serve(stricter, adapter), "Enforce", MAX));
    stricter.offer(target("n1", 400));
    await().untilAsserted(() -> assertThat(stricter.stateReason("n1")).contains("did not answer"));
  }

  private PushFixture fixture(TlsFiles tls, Optional<String> serverName) {
    PushFixture fixture =
        new PushFixture(
            new PushSettings(
                1_000,
                300,
                new PushGate.Settings(5_000, 0, 0),
                Optional.empty(),
                AdapterTls.of(Optional.of(tls), serverName)));
    opened.add(fixture);
    return fixture;
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
