package io.dynims.testing;

import io.dynims.local.FreePorts;
import io.dynims.local.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A stock Alluxio master and one worker, each a process, on loopback and free ports. The worker has
 * one tier, {@code MEM}, in a directory in {@code /dev/shm}; everything is removed on close. Their
 * jars are not on this classpath, because they would clash with the clients under test.
 */
public final class AlluxioCluster implements AutoCloseable {

  /** The system property that names the folder of Alluxio's jars. */
  public static final String LIB_PROPERTY = "dynims.alluxio.lib";

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

  private final Path home;
  private final Path tier;
  private final Map<String, String> properties = new TreeMap<>();
  private final InetSocketAddress masterAddress;
  private final InetSocketAddress workerAddress;
  private final InetSocketAddress workerWebAddress;
  private final Thread atExit = new Thread(this::endAll, "alluxio-cluster-end");
  private Process master;
  private Process worker;

  private AlluxioCluster(long tierBytes, Map<String, ?> more) throws IOException {
    home = Files.createTempDirectory("dynims-alluxio-");
    tier = Files.createTempDirectory(Path.of("/dev/shm"), "dynims-tier-");
    masterAddress = freeAddress();
    workerAddress = freeAddress();
    workerWebAddress = freeAddress();
    configure(tierBytes);
    more.forEach(this::set);
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Starts both and returns when they listen.
   *
   * @param tierBytes the capacity of the worker's tier
   * @throws IOException if one ends or does not listen in time; the message has the end of its log
   */
  public static AlluxioCluster start(long tierBytes) throws IOException {
    return start(tierBytes, Map.of());
  }

  /**
   * The same with more of Alluxio's properties, or others.
   *
   * @param more their values by their names
   */
  public static AlluxioCluster start(long tierBytes, Map<String, ?> more) throws IOException {
    AlluxioCluster cluster = new AlluxioCluster(tierBytes, more);
    try {
      cluster.master = cluster.launch("master", "alluxio.master.AlluxioMaster");
      cluster.await("master", cluster.master, cluster.masterAddress);
      cluster.startWorker();
      return cluster;
    } catch (IOException e) {
      cluster.close();
      throw e;
    }
  }

  /** The master's RPC address. */
  public InetSocketAddress masterAddress() {
    return masterAddress;
  }

  /** The worker's RPC address; the same after a restart. */
  public InetSocketAddress workerAddress() {
    return workerAddress;
  }

  /** Where the worker serves its metrics as JSON. */
  public URI workerMetrics() {
    String host = workerWebAddress.getHostString();
    return URI.create("http://" + host + ":" + workerWebAddress.getPort() + "/metrics/json/");
  }

  /** The folder of the worker's blocks. */
  public Path tierDirectory() {
    return tier.resolve("alluxioworker");
  }

  /** The directory of the under file system's root. */
  public Path underFileSystem() {
    return home.resolve("ufs");
  }

  /** Kills the worker; its blocks stay in the tier's directory. */
  public void killWorker() throws InterruptedException {
    worker.destroyForcibly().waitFor();
  }

  /** Stops the worker as if it hung; it keeps its connections. */
  public void pauseWorker() throws IOException, InterruptedException {
    Signals.send(worker.toHandle(), "STOP");
  }

  /** Lets a paused worker continue. */
  public void resumeWorker() throws IOException, InterruptedException {
    Signals.send(worker.toHandle(), "CONT");
  }

  /** Starts the worker, for the first time or again, and returns when it listens. */
  public void startWorker() throws IOException {
    worker = launch("worker", "alluxio.worker.AlluxioWorker");
    await("worker", worker, workerAddress);
  }

  /** Stops both and deletes everything that they wrote. */
  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    endAll();
  }

  private void endAll() {
    for (Process process : new Process[] {worker, master}) {
      if (process != null) {
        process.destroyForcibly().onExit().join();
      }
    }
    delete(tier);
    delete(home);
  }

  private void configure(long tierBytes) throws IOException {
    set("alluxio.home", home.toString());
    set("alluxio.logs.dir", home.resolve("logs").toString());
    set("alluxio.master.hostname", LOOPBACK.getHostAddress());
    set("alluxio.master.bind.host", LOOPBACK.getHostAddress());
    set("alluxio.master.rpc.port", masterAddress.getPort());
    set("alluxio.master.web.bind.host", LOOPBACK.getHostAddress());
    set("alluxio.master.web.port", FreePorts.next());
    set("alluxio.master.journal.type", "NOOP");
    set("alluxio.master.update.check.enabled", false);
    set("alluxio.master.mount.table.root.ufs", Files.createDirectory(home.resolve("ufs")));
    set("alluxio.worker.hostname", LOOPBACK.getHostAddress());
    set("alluxio.worker.bind.host", LOOPBACK.getHostAddress());
    set("alluxio.worker.rpc.port", workerAddress.getPort());
    set("alluxio.worker.web.bind.host", LOOPBACK.getHostAddress());
    set("alluxio.worker.web.port", workerWebAddress.getPort());
    set("alluxio.worker.tieredstore.levels", 1);
    set("alluxio.worker.tieredstore.level0.alias", "MEM");
    set("alluxio.worker.tieredstore.level0.dirs.path", tier);
    set("alluxio.worker.tieredstore.level0.dirs.quota", tierBytes);
    set("alluxio.worker.ramdisk.size", tierBytes);
    set("alluxio.worker.block.heartbeat.interval", "200ms");
  }

  private void set(String key, Object value) {
    properties.put(key, value.toString());
  }

  private Process launch(String name, String mainClass) throws IOException {
    String lib = System.getProperty(LIB_PROPERTY);
    if (lib == null || !Files.isDirectory(Path.of(lib))) {
      throw new IOException(
          LIB_PROPERTY
              + ": no folder with Alluxio's jars at "
              + lib
              + "; package that module first");
    }
    List<String> command =
        JavaCommand.light("-Xmx256m", "-XX:MaxDirectMemorySize=256m", "-Djava.io.tmpdir=" + home);
    for (String opened : List.of("java.lang", "java.util", "java.nio", "sun.nio.ch")) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    properties.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of("-cp", lib + File.separator + "*", mainClass));
    return new ProcessBuilder(command)
        .directory(home.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()))
        .start();
  }

  private Path log(String name) {
    return home.resolve(name + ".log");
  }

  private void await(String name, Process process, InetSocketAddress address) throws IOException {
    try {
      Poll.until(START_TIMEOUT, () -> isListening(address) || !process.isAlive());
    } catch (IllegalStateException e) {
      throw new IOException(failure(name), e);
    }
    if (!process.isAlive()) {
      throw new IOException(failure(name));
    }
  }

  private String failure(String name) throws IOException {
    String text = Files.readString(log(name));
    return "the Alluxio "
        + name
        + " does not listen; the end of its log: "
        + text.substring(Math.max(0, text.length() - 4000));
  }

  private static boolean isListening(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static InetSocketAddress freeAddress() {
    return new InetSocketAddress(LOOPBACK, FreePorts.next());
  }

  private static void delete(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
