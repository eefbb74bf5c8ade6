package io.dynims.adapter.runtime;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.core.testing.Needs;
import io.dynims.local.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import org.awaitility.Awaitility;

/** A real server of a Debian package, on a free port of loopback. */
public final class ServerProcess implements AutoCloseable {

  private final int port = FreePorts.next();
  private final List<String> command = new ArrayList<>();
  private final String greeting;
  private final SocketFactory sockets;
  private Process process;

  /**
   * Starts it. Its package, without which the test fails, has the name of the program.
   *
   * @param program such as {@code /usr/bin/redis-server}
   * @param portOption such as {@code --port}
   * @param options more of its options
   * @param greeting a command without effect that it answers
   */
  public ServerProcess(Path program, String portOption, List<String> options, String greeting)
      throws IOException {
    this(program, portOption, options, greeting, SocketFactory.getDefault());
  }

  /** The same for a server that is asked over other sockets, such as those of TLS. */
  public ServerProcess(
      Path program, String portOption, List<String> options, String greeting, SocketFactory sockets)
      throws IOException {
    this.greeting = greeting;
    this.sockets = sockets;
    String debianPackage = program.getFileName().toString();
    command.addAll(
        List.of(
            Needs.installed(program, debianPackage).toString(),
            portOption,
            Integer.toString(port)));
    command.addAll(options);
    start();
  }

  /** Starts it, again after {@link #kill}; returns when it answers. */
  public void start() throws IOException {
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "end-server"));
    Awaitility.await().ignoreExceptions().until(this::answers);
  }

  private boolean answers() throws IOException {
    try (Socket socket = sockets.createSocket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write((greeting + "\r\n").getBytes(US_ASCII));
      return socket.getInputStream().read() > 0;
    }
  }

  /** Ends it as if it had crashed. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      kill();
    }
  }
}
