package io.dynims.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check for collectd's libraries, with an {@code ldd} that lacks the one of Python. */
class CheckCollectdTest {

  @TempDir Path folder;

  @Test
  void namesTheLibraryThatAPluginLacks() throws Exception {
    assertThat(check("write_kafka", "python"))
        .contains(
            "check-collectd: collectd cannot load its plugin python: it is linked to libpython3.11.so.1.0, which is not"
                + " installed")
        .doesNotContain("plugin write_kafka");
  }

  private String check(String... plugins) throws Exception {
    Path ldd =
        Files.writeString(
            folder.resolve("ldd"),
            """
            #!/bin/sh
            echo '  libc.so.6 => /lib/libc.so.6 (0x1)'
            case $1 in */python.so) echo '  libpython3.11.so.1.0 => not found' ;; esac
            """);
    Files.setPosixFilePermissions(ldd, PosixFilePermissions.fromString("rwx------"));
    ProcessBuilder builder = new ProcessBuilder("./check-collectd").redirectErrorStream(true);
    builder.command().addAll(List.of(plugins));
    builder.environment().merge("PATH", folder.toString(), (path, ldds) -> ldds + ":" + path);
    Process process = builder.start();
    String report = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(report).isOne();
    return report;
  }
}
