package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.testing.RefusedTls;
import io.dynims.local.FreePorts;
import io.dynims.local.LocalAuthority;
import io.dynims.runtime.tls.TlsFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;

/** A standalone cluster: a JobManager and a TaskManager, each a process. */
final class FlinkCluster implements AutoCloseable {

  private static final Pattern JAR_ID = Pattern.compile("\"filename\":\"[^\"]*/([^/\"]+)\"");

  private final HttpClient http = HttpClient.newHttpClient();
  private final int restPort = FreePorts.next();
  private final int rpcPort = FreePorts.next();
  private final LocalAuthority authority;
  private final List<Integer> metricsPorts = List.of(FreePorts.next(), FreePorts.next());
  private final JavaProcess jobManager;
  private final JavaProcess taskManager;

  private FlinkCluster(
      Path directory,
      String classPath,
      String jobManagerMain,
      String taskManagerMain,
      String... options)
      throws IOException, InterruptedException {
    authority = new LocalAuthority(directory, "flink", 1);
    Path configuration = Files.createDirectories(directory.resolve("conf"));
    Files.writeString(configuration.resolve("config.yaml"), configuration(directory));
    jobManager = start(directory, classPath, jobManagerMain, configuration, options);
    taskManager = start(directory, classPath, taskManagerMain, configuration);
  }

  /** One that jobs are uploaded to. */
  static FlinkCluster session(Path directory) throws IOException, InterruptedException {
    return new FlinkCluster(
        directory,
        JavaProcess.LIB,
        "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
        "org.apache.flink.runtime.taskexecutor.TaskManagerRunner");
  }

  /** One that runs this job, as the chart starts it: its processes speak TLS with each other. */
  static FlinkCluster application(Path directory, String... options)
      throws IOException, InterruptedException {
    return new FlinkCluster(
        directory,
        JavaProcess.JOB_JAR + ":" + JavaProcess.LIB,
        JobCluster.class.getName(),
        JobWorker.class.getName(),
        options);
  }

  /** Returns when the TaskManager is registered. */
  void awaitReady() {
    await()
        .atMost(Duration.ofMinutes(5))
        .ignoreExceptions()
        .until(() -> get("/overview").contains("\"taskmanagers\":1"));
  }

  /** Uploads a jar; returns its id. */
  String upload(Path jar) throws IOException, InterruptedException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    String head =
        """
        --part\r
        Content-Disposition: form-data; name="jarfile"; filename="job.jar"\r
        Content-Type: application/x-java-archive\r
        \r
        """;
    body.write(head.getBytes(UTF_8));
    body.write(Files.readAllBytes(jar));
    body.write("\r\n--part--\r\n".getBytes(UTF_8));
    String answer =
        send(
            request("/jars/upload")
                .header("Content-Type", "multipart/form-data; boundary=part")
                .POST(BodyPublishers.ofByteArray(body.toByteArray())));
    Matcher id = JAR_ID.matcher(answer);
    if (!id.find()) {
      throw new AssertionError(answer);
    }
    return id.group(1);
  }

  /** Runs an uploaded jar; returns the answer. */
  String run(String jar, String argument) throws IOException, InterruptedException {
    return send(
        request("/jars/" + jar + "/run")
            .POST(BodyPublishers.ofString("{\"programArgsList\":[\"" + argument + "\"]}")));
  }

  private static JavaProcess start(
      Path directory, String classPath, String main, Path configuration, String... options)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    // --add-opens is as Flink's own config.yaml has it.
    arguments.addAll(
        List.of("-Xmx256m", "--add-opens=java.base/java.util=ALL-UNNAMED", main, "--configDir"));
    arguments.add(configuration.toString());
    arguments.addAll(List.of(options));
    return new JavaProcess(
        directory.resolve(main.substring(main.lastIndexOf('.') + 1) + ".log"),
        classPath,
        arguments.toArray(String[]::new));
  }

  private String configuration(Path directory) throws IOException, InterruptedException {
    TlsFiles.Paths own = authority.issue("flink");
    return """
    jobmanager.rpc.address: 127.0.0.1
    jobmanager.rpc.port: %d
    jobmanager.bind-host: 127.0.0.1
    rest.address: 127.0.0.1
    rest.bind-address: 127.0.0.1
    rest.port: %d
    taskmanager.host: 127.0.0.1
    taskmanager.bind-host: 127.0.0.1
    taskmanager.numberOfTaskSlots: 1
    taskmanager.cpu.cores: 1
    taskmanager.memory.framework.heap.size: 64m
    taskmanager.memory.framework.off-heap.size: 64m
    taskmanager.memory.jvm-metaspace.size: 128m
    taskmanager.memory.jvm-overhead.min: 64m
    taskmanager.memory.jvm-overhead.max: 64m
    taskmanager.memory.task.heap.size: 128m
    taskmanager.memory.task.off-heap.size: 0m
    taskmanager.memory.network.min: 16m
    taskmanager.memory.network.max: 16m
    taskmanager.memory.managed.size: 0m
    io.tmp.dirs: %s
    metrics.reporter.prometheus.factory.class: org.apache.flink.metrics.prometheus.PrometheusReporterFactory
    metrics.reporter.prometheus.port: %d,%d
    dynims.internal.tls.certificate: %s
    dynims.internal.tls.key: %s
    dynims.internal.tls.ca: %s
    """
        .formatted(
            rpcPort,
            restPort,
            Files.createDirectories(directory.resolve("tmp")),
            metricsPorts.get(0),
            metricsPorts.get(1),
            own.certificate().orElseThrow(),
            own.key().orElseThrow(),
            own.authorities().orElseThrow());
  }

  /** Connects and says nothing, as the kubelet does to learn whether the JobManager lives. */
  void probe() throws IOException {
    for (int i = 0; i < 3; i++) {
      new Socket(InetAddress.getLoopbackAddress(), rpcPort).close();
    }
  }

  /** Connects to the JobManager with a certificate of its authority, and with a stranger's. */
  void assertOnlyOwnCertificatesAreAccepted() throws Exception {
    assertThat(isAccepted(authority.issue("friend"))).isTrue();
    Path folder = authority.authorities().getParent();
    TlsFiles.Paths stranger = new LocalAuthority(folder, "stranger", 1).issue("stranger");
    assertThat(
            isAccepted(
                new TlsFiles.Paths(
                    stranger.certificate(), stranger.key(), Optional.of(authority.authorities()))))
        .isFalse();
  }

  /** With TLS 1.2, the server has checked the client's certificate when the handshake ends. */
  private boolean isAccepted(TlsFiles.Paths paths) throws Exception {
    try (TlsFiles files = TlsFiles.open(paths);
        SSLSocket socket =
            (SSLSocket) files.context().getSocketFactory().createSocket("127.0.0.1", rpcPort)) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      socket.startHandshake();
      return true;
    } catch (IOException e) {
      if (!RefusedTls.isSeenIn(e)) {
        throw e;
      }
      return false;
    }
  }

  /** The series of both processes. */
  String metrics() throws IOException, InterruptedException {
    return JavaProcess.metrics(metricsPorts.get(0)) + JavaProcess.metrics(metricsPorts.get(1));
  }

  /** Ends the TaskManager as a node that is lost does. */
  void killTaskManager() throws Exception {
    taskManager.signal("KILL");
  }

  /** What the JobManager's REST API answers. */
  String get(String path) throws IOException, InterruptedException {
    return send(request(path).GET());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + restPort + path));
  }

  private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return http.send(request.build(), BodyHandlers.ofString()).body();
  }

  /** Awaits the JobManager's end. */
  int exitCode() throws InterruptedException {
    return jobManager.exitCode();
  }

  String jobManagerLog() throws IOException {
    return jobManager.log();
  }

  @Override
  public void close() throws InterruptedException {
    taskManager.close();
    jobManager.close();
  }
}
