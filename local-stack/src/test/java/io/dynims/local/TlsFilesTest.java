package io.dynims.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.core.testing.RefusedTls;
import io.dynims.runtime.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsFilesTest {

  @TempDir private static Path folder;
  private static LocalAuthority one;
  private static LocalAuthority another;

  @BeforeAll
  static void makeCertificates() throws Exception {
    one = new LocalAuthority(folder, "one", 1);
    another = new LocalAuthority(folder, "another", 1);
  }

  @Test
  void clientAndServerKnowEachOther() throws Exception {
    try (TlsFiles server = TlsFiles.open(one.issue("server"));
        TlsFiles client = TlsFiles.open(one.issue("client"))) {
      assertThat(handshake(server, client)).isEqualTo("CN=server");
    }
  }

  @Test
  void aStrangersCertificateIsNotTrusted() throws Exception {
    try (TlsFiles server = TlsFiles.open(another.issue("server"));
        TlsFiles client = TlsFiles.open(one.issue("client"))) {
      assertThatThrownBy(() -> handshake(server, client)).matches(RefusedTls::isSeenIn);
    }
  }

  @Test
  void takesANewCertificateWithoutARestart() throws Exception {
    TlsFiles.Paths paths = one.issue("before");
    TlsFiles.Paths next = one.issue("after");
    try (TlsFiles server = TlsFiles.open(paths);
        TlsFiles client = TlsFiles.open(one.issue("client"))) {
      assertThat(handshake(server, client)).isEqualTo("CN=before");

      Files.copy(
          next.certificate().orElseThrow(),
          paths.certificate().orElseThrow(),
          StandardCopyOption.REPLACE_EXISTING);
      Files.copy(
          next.key().orElseThrow(), paths.key().orElseThrow(), StandardCopyOption.REPLACE_EXISTING);

      await().until(() -> handshake(server, client).equals("CN=after"));
    }
  }

  @Test
  void aHandshakeEndsWithTheCertificateThatItBeganWith() throws Exception {
    TlsFiles.Paths paths = one.issue("before");
    TlsFiles.Paths next = one.issue("after");
    try (TlsFiles server = TlsFiles.open(paths)) {
      X509ExtendedKeyManager manager = server.keyManager().orElseThrow();
      String begun = newAlias(manager);
      var key = manager.getPrivateKey(begun);

      Files.copy(
          next.certificate().orElseThrow(),
          paths.certificate().orElseThrow(),
          StandardCopyOption.REPLACE_EXISTING);
      Files.copy(
          next.key().orElseThrow(), paths.key().orElseThrow(), StandardCopyOption.REPLACE_EXISTING);
      await().until(() -> name(manager, newAlias(manager)).equals("CN=after"));

      assertThat(name(manager, begun)).isEqualTo("CN=before");
      assertThat(manager.getPrivateKey(begun)).isEqualTo(key);
      assertThat(manager.getPrivateKey(newAlias(manager))).isNotEqualTo(key);
    }
  }

  private static String newAlias(X509ExtendedKeyManager manager) {
    return manager.chooseServerAlias("EC", null, null);
  }

  private static String name(X509ExtendedKeyManager manager, String alias) {
    return manager.getCertificateChain(alias)[0].getSubjectX500Principal().getName();
  }

  @Test
  void namesWhatCannotBeUsed() throws Exception {
    TlsFiles.Paths paths = one.issue("good");
    TlsFiles.Paths others = one.issue("others");
    Path empty = Files.writeString(folder.resolve("empty.pem"), "nothing");

    assertFails(
        new TlsFiles.Paths(paths.certificate(), others.key(), Optional.empty()),
        "the key " + others.key().get() + " does not belong to the certificate");
    assertFails(
        new TlsFiles.Paths(paths.certificate(), Optional.of(empty), Optional.empty()),
        "the file " + empty + " holds no PEM key without a password");
    assertFails(
        new TlsFiles.Paths(Optional.of(empty), paths.key(), Optional.empty()),
        "the file " + empty + " holds no PEM certificate");
    assertFails(
        new TlsFiles.Paths(paths.certificate(), Optional.empty(), Optional.empty()),
        "a certificate needs its key: " + paths.certificate().get());
    assertFails(
        new TlsFiles.Paths(
            Optional.empty(), Optional.empty(), Optional.of(folder.resolve("absent"))),
        "cannot read " + folder.resolve("absent") + ": there is no such file");
  }

  private static void assertFails(TlsFiles.Paths paths, String message) {
    assertThatThrownBy(() -> TlsFiles.open(paths))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(message);
  }

  /** The name in the server's certificate, after both sides have accepted each other. */
  private static String handshake(TlsFiles server, TlsFiles client) throws Exception {
    try (SSLServerSocket listening =
            (SSLServerSocket) server.context().getServerSocketFactory().createServerSocket(0);
        SSLSocket socket =
            (SSLSocket)
                client
                    .context()
                    .getSocketFactory()
                    .createSocket("127.0.0.1", listening.getLocalPort())) {
      listening.setNeedClientAuth(true);
      Thread accepting =
          new Thread(
              () -> {
                try (SSLSocket accepted = (SSLSocket) listening.accept()) {
                  accepted.startHandshake();
                  accepted.getOutputStream().write(1);
                } catch (IOException e) {
                  // The client tells.
                }
              });
      accepting.start();
      try {
        socket.startHandshake();
        assertThat(socket.getInputStream().read()).isEqualTo(1);
        return socket.getSession().getPeerPrincipal().getName();
      } finally {
        socket.close();
        accepting.join();
      }
    }
  }
}
