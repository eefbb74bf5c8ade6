package io.dynims.cli.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Stacks for tests: a home of their own and free ports. */
final class Stacks {

  static final Machine EIGHT_GIBIBYTES = new Machine(8L << 30, 6L << 30);

  private Stacks() {}

  static StackHome home(Path state) {
    return new StackHome(Path.of("..").toAbsolutePath().normalize(), state);
  }

  static StackSettings settings(StackHome home, String... given) throws Exception {
    return StackSettings.forNewStack(home, List.of(given), Map.of(), EIGHT_GIBIBYTES);
  }

  /** {@code KEY=PORT} for every port of a stack; all are free at the same moment. */
  static List<String> freePorts() throws Exception {
    List<String> given = new ArrayList<>();
    List<ServerSocket> sockets = new ArrayList<>();
    for (String key : settings(home(Path.of("unused"))).ports().keySet()) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      sockets.add(socket);
      given.add(key + "=" + socket.getLocalPort());
    }
    for (ServerSocket socket : sockets) {
      close(socket);
    }
    return given;
  }

  private static void close(ServerSocket socket) throws IOException {
    socket.close();
  }
}
