package io.dynims.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynims.core.testing.RefusedTls;
import io.dynims.runtime.tls.TlsFiles;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusedTlsTest {

  private static final String OLD = "TLSv1.2";
  private static final String NEW = "TLSv1.3";
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  @TempDir private static Path folder;
  private static SSLContext ofServer;
  private static SSLContext ofClient;

  @BeforeAll
  static void makeCertificates() throws Exception {
    LocalAuthority authority = new LocalAuthority(folder, "authority", 1);
    TlsFiles.Paths trusted =
        new TlsFiles.Paths(
            Optional.empty(), Optional.empty(), Optional.of(authority.authorities()));
    try (TlsFiles server = TlsFiles.open(authority.issue("server"));
        TlsFiles client = TlsFiles.open(trusted)) {
      ofServer = server.context();
      ofClient = SSLContext.getInstance("TLS");
      ofClient.init(null, new TrustManager[] {client.trustManager().orElseThrow()}, null);
    }
  }

  @Test
  void aVersionThatTheServerDoesNotSpeak() throws Exception {
    assertThat(refused(listening(NEW), OLD)).matches(RefusedTls::isSeenIn);
  }

  /** With TLS 1.3 the client's handshake has ended by the time that the server refuses it. */
  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void aCertificateThatTheClientLacks(String version) throws Exception {
    SSLServerSocket listening = listening(version);
    listening.setNeedClientAuth(true);

    assertThat(refused(listening, version)).matches(RefusedTls::isSeenIn);
  }

  @Test
  void theServerClosesWhenItHasReadTheFirstMessage() throws Exception {
    assertThat(refused(new ServerSocket(0, 1, HERE), NEW))
        .isInstanceOf(SSLException.class)
        .matches(RefusedTls::isSeenIn);
  }

  @Test
  void theServerHasClosedBeforeTheFirstMessage() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 1, HERE);
        SSLSocket client = connect(listening)) {
      Socket accepted = listening.accept();
      accepted.setSoLinger(true, 0); // Resets the connection.
      accepted.close();

      assertThat(catchThrowable(client::startHandshake))
          .isInstanceOf(SocketException.class)
          .matches(RefusedTls::isSeenIn);
    }
  }

  /** A channel that tries to write says it in the message only. */
  @Test
  void theMessageOfAChannel() {
    assertThat(new IOException(new IOException("Broken pipe"))).matches(RefusedTls::isSeenIn);
    assertThat(new IOException("Connection reset by peer")).matches(RefusedTls::isSeenIn);
  }

  @Test
  void whatIsNoRefusal() {
    Throwable nobodyListens =
        catchThrowable(() -> ofClient.getSocketFactory().createSocket(HERE, FreePorts.next()));

    assertThat(nobodyListens).isNotNull();
    assertThat(RefusedTls.isSeenIn(nobodyListens)).isFalse();
    assertThat(RefusedTls.isSeenIn(new IOException("disk full"))).isFalse();
    assertThat(RefusedTls.isSeenIn(new AssertionError("wrong name"))).isFalse();
  }

  private static SSLServerSocket listening(String version) throws IOException {
    SSLServerSocket socket =
        (SSLServerSocket) ofServer.getServerSocketFactory().createServerSocket(0, 1, HERE);
    socket.setEnabledProtocols(new String[] {version});
    return socket;
  }

  private static SSLSocket connect(ServerSocket listening) throws IOException {
    return (SSLSocket) ofClient.getSocketFactory().createSocket(HERE, listening.getLocalPort());
  }

  /** What a client sees that wants an answer. */
  private static Throwable refused(ServerSocket listening, String version) throws Exception {
    Thread server = new Thread(() -> serve(listening));
    server.start();
    try (SSLSocket client = connect(listening)) {
      client.setEnabledProtocols(new String[] {version});
      return catchThrowable(
          () -> {
            client.startHandshake();
            client.getOutputStream().write(1);
            client.getInputStream().read();
          });
    } finally {
      server.join();
      listening.close();
    }
  }

  private static void serve(ServerSocket listening) {
    try (Socket accepted = listening.accept()) {
      DataInputStream in = new DataInputStream(accepted.getInputStream());
      if (accepted instanceof SSLSocket) {
        in.read();
      } else {
        in.skipNBytes(3); // A record's type and version.
        in.skipNBytes(in.readUnsignedShort());
      }
    } catch (IOException e) {
      // The client tells.
    }
  }
}
