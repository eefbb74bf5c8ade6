package io.dynims.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.messages.webmonitor.JobDetails;
import org.apache.flink.runtime.messages.webmonitor.MultipleJobsDetails;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is ready: a job that decides. */
class ReadyFileTest {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "RUNNING, RUNNING RUNNING, true",
    // As long as a TaskManager is missing.
    "RUNNING, RUNNING SCHEDULED, false",
    "RUNNING, DEPLOYING INITIALIZING, false",
    "RESTARTING, CANCELED CANCELED, false",
    "CREATED, CREATED CREATED, false",
    "FAILING, FAILED CANCELING, false",
    "FAILED, FAILED CANCELED, false",
  })
  void aJobRunsIfEachOfItsTasksDoes(JobStatus status, String tasks, boolean expected) {
    assertThat(JobCluster.runs(new MultipleJobsDetails(List.of(job(status, tasks)))))
        .isEqualTo(expected);
  }

  @Test
  void withoutAJobNoneRuns() {
    assertThat(JobCluster.runs(new MultipleJobsDetails(List.of()))).isFalse();
  }

  @Test
  void theFileIsThereWhileTheJobRuns() throws Exception {
    AtomicBoolean runs = new AtomicBoolean();
    // Of a container that ended.
    Path file = Files.writeString(folder.resolve("runs"), "");
    ReadyFile ready = ReadyFile.keep(file, () -> CompletableFuture.completedFuture(runs.get()));

    await().untilAsserted(() -> assertThat(file).doesNotExist());
    runs.set(true);
    await().untilAsserted(() -> assertThat(file).exists());
    runs.set(false);
    await().untilAsserted(() -> assertThat(file).doesNotExist());
    runs.set(true);
    await().untilAsserted(() -> assertThat(file).exists());
    ready.close();
    assertThat(file).doesNotExist();
  }

  private static JobDetails job(JobStatus status, String tasks) {
    List<String> states = List.of(tasks.split(" ", -1));
    int[] perState =
        Stream.of(ExecutionState.values())
            .mapToInt(state -> Collections.frequency(states, state.name()))
            .toArray();
    return new JobDetails(
        new JobID(), "dynims", 1, -1, 1, status, 1, perState, states.size(), Map.of());
  }
}
