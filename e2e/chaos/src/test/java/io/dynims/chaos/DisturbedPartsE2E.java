package io.dynims.chaos;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.local.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Everything runs, and something gets in the way. */
@Tag("long")
@ExtendWith(ChaosExtension.class)
class DisturbedPartsE2E {

  private static final long STOPPED_MILLIS = 150;
  private static final long RUNNING_MILLIS = 50;
  private static final int CONNECTIONS = 64;
  private static final int STREAMS = 200;

  @Test
  void theNodeIsSafeWithTwoControllers(ChaosRun chaos) throws Exception {
    Process[] second = {null};
    chaos.run(
        "two controllers",
        Promise.NeverAboveMemory,
        Fault.of(
            stack -> second[0] = startSecondController(stack),
            stack -> {
              second[0].destroy();
              second[0].onExit().join();
            }));
  }

  /** It runs a quarter of the time. */
  @Test
  void aSlowWorkerHeals(ChaosRun chaos) throws Exception {
    Thread[] brake = {null};
    chaos.run(
        "alluxio-worker runs a quarter of the time",
        Promise.CorrectBytesOnly,
        Fault.of(
            stack -> brake[0] = slowDown(stack.part("alluxio-worker")),
            stack -> {
              brake[0].interrupt();
              brake[0].join();
              stack.part("alluxio-worker").thaw();
            }));
  }

  @Test
  void theNodeIsSafeFromClientsThatSendSlowlyAndReadNothing(ChaosRun chaos) throws Exception {
    List<Socket> clients = new ArrayList<>();
    chaos.run(
        "64 unfinished requests to adapter and to controller each, 200 unread streams",
        Promise.NeverAboveMemory,
        Fault.of(
            stack -> {
              int adapter = stack.settings().port("adapter.port");
              int controller = stack.settings().port("controller.port");
              for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(sending("G", adapter));
                clients.add(sending("G", controller));
              }
              for (int i = 0; i < STREAMS; i++) {
                clients.add(
                    sending("GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n", controller));
              }
            },
            stack -> {
              for (Socket client : clients) {
                client.close();
              }
            }));
  }

  private static Process startSecondController(ChaosStack stack) throws IOException {
    int port = FreePorts.forKeys(List.of("controller.port")).get("controller.port");
    String setting = "--http.address=";
    List<String> command =
        stack.part("controller").command().stream()
            .map(a -> a.startsWith(setting) ? setting + "127.0.0.1:" + port : a)
            .toList();
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(
            ProcessBuilder.Redirect.appendTo(stack.home().log("second-controller").toFile()))
        .start();
  }

  private static Thread slowDown(StackPart part) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (!Thread.interrupted()) {
                  part.freeze();
                  Thread.sleep(STOPPED_MILLIS);
                  part.thaw();
                  Thread.sleep(RUNNING_MILLIS);
                }
              } catch (InterruptedException e) {
                // The end of the fault.
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            },
            "slow-down");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static Socket sending(String text, int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.getOutputStream().write(text.getBytes(US_ASCII));
    return socket;
  }
}
