package io.dynims.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.kubectl.Plugin.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

/** {@code simulate} gives the history to the simulator. */
class WhatIfTest extends PluginTest {

  private static final String HISTORY = "/api/v1/tiers/n1/history?last=5m";

  @Test
  void givesTheHistoryAndThePolicyToTheSimulator() throws Exception {
    controller.answers.put(HISTORY, "{\"decisions\":[{\"node\":\"n1\"}]}");
    Ended ended = simulate("echo \"$@\"\n/bin/cat\n", "--policy=p.yaml", "--compare=Feedback");

    assertThat(ended.err()).isEmpty();
    assertThat(ended.out())
        .isEqualTo(
            "simulate --history=- --policy=p.yaml --compare=Feedback\n"
                + "{\"decisions\": [{\"node\": \"n1\"}]}");
    assertThat(ended.exitCode()).isZero();
  }

  @Test
  void reportsASimulatorThatFailsOrIsMissing() throws Exception {
    controller.answers.put(HISTORY, "{\"decisions\":[]}");

    assertThat(simulate("exit 2", "--policy=p.yaml").err()).contains("simulate ended with 2");
    Ended missing =
        plugin.run("simulate", "n1", "--last=5m", "--policy=p.yaml", "--dynims=/no/dynims");
    assertThat(missing.err()).contains("/no/dynims: No such file", "--dynims");
    assertThat(missing.exitCode()).isEqualTo(1);
  }

  private Ended simulate(String script, String... more) throws Exception {
    Path program = Files.writeString(folder.resolve("simulator"), "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    String[] arguments = {"simulate", "n1", "--last=5m", "--dynims=" + program};
    String[] all = new String[arguments.length + more.length];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    return plugin.run(all);
  }
}
