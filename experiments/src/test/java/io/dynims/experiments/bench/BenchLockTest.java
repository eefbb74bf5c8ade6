package io.dynims.experiments.bench;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.cli.stack.StackException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchLockTest {

  @TempDir private Path folder;

  @Test
  void excludesAThirdBenchmarkWhenASecondOneOpenedTheFileBeforeTheFirstEnded() throws Exception {
    BenchLock first = BenchLock.acquire(folder);
    try (FileChannel second =
        FileChannel.open(folder.resolve("bench.lock"), StandardOpenOption.WRITE)) {
      first.close();
      second.lock();

      assertThatThrownBy(() -> BenchLock.acquire(folder)).isInstanceOf(StackException.class);
    }
  }
}
