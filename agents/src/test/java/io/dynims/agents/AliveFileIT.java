package io.dynims.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.local.FreePorts;
import io.dynims.testing.CollectdAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By the file of a real collectd, the images' health check tells one that hangs from others. */
class AliveFileIT {

  private static final Path HEALTHCHECK = Path.of("../dist/docker/healthcheck");
  private static final String SECONDS = "2";

  @TempDir Path folder;

  private Path alive;

  /** collectd runs as another user. */
  @BeforeEach
  void makeFolders() throws Exception {
    RequiredCollectd.check();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path run = Files.createDirectory(folder.resolve("run"));
    Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxrwxrwx"));
    alive = run.resolve("alive");
  }

  @Test
  void oneWithoutKafkaIsAlive() throws Exception {
    try (CollectdAgent agent = start()) {
      await().until(this::isAlive);
      await().during(Duration.ofSeconds(5)).until(this::isAlive);
      assertThat(agent.log()).as("there is no broker").contains("brokers are down");
    }
  }

  @Test
  void oneWhoseReaderHangsIsNot() throws Exception {
    write("cgroup.controllers", "memory");
    write("node/memory.max", "1073741824");
    write("node/memory.current", "536870912");
    write("node/memory.stat", "anon 1");
    try (CollectdAgent agent = start("--cgroup-root", folder.toString())) {
      write("node/agent/cgroup.procs", Long.toString(agent.pid()));
      await().until(this::isAlive);

      // Whoever opens it waits, as for a file system whose server is away.
      Path pipe = folder.resolve("pipe");
      assertThat(new ProcessBuilder("mkfifo", "-m", "644", "" + pipe).start().waitFor()).isZero();
      Path current = folder.resolve("node/memory.current");
      Files.move(pipe, current, StandardCopyOption.ATOMIC_MOVE);

      await().until(() -> !isAlive());
      assertThat(agent.isAlive()).as("its process goes on").isTrue();
      Files.writeString(current, "536870912\n");
      await().until(this::isAlive);
    }
  }

  private CollectdAgent start(String... options) throws Exception {
    String[] all = new String[options.length + 2];
    System.arraycopy(options, 0, all, 2, options.length);
    all[0] = "--alive-file";
    all[1] = alive.toString();
    return CollectdAgent.start("node-it", "127.0.0.1:" + FreePorts.next(), all);
  }

  private boolean isAlive() throws Exception {
    Process check =
        new ProcessBuilder(HEALTHCHECK.toString(), alive.toString(), SECONDS)
            .redirectErrorStream(true)
            .start();
    String output = new String(check.getInputStream().readAllBytes(), UTF_8);
    int exitCode = check.waitFor();
    assertThat(exitCode).as(output).isBetween(0, 1);
    return exitCode == 0;
  }

  private void write(String file, String content) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content + "\n");
  }
}
