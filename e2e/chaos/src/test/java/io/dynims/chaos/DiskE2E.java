package io.dynims.chaos;

import io.dynims.cli.stack.Folders;
import io.dynims.core.testing.Needs;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A disk is full: a tmpfs that is made as small as what it holds. Needs root, to mount it. */
@Tag("long")
@ExtendWith(ChaosExtension.class)
class DiskE2E {

  private static final String SIZE = "192m";

  @Test
  void theNodeIsSafeWhenTheBrokersDiskIsFull(ChaosRun chaos) throws Exception {
    Path data = chaos.stack().home().data("kafka");
    StackPart kafka = chaos.stack().part("kafka");
    Path aside = data.resolveSibling("kafka-aside");
    Needs.root("to mount");
    kafka.kill();
    Files.move(data, aside);
    Files.createDirectories(data);
    run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", data.toString());
    try {
      run("cp", "-a", aside + "/.", data.toString());
      kafka.start();
      chaos.run(
          "disk of the broker full",
          Promise.NeverAboveMemory,
          Fault.of(
              stack -> fill(data),
              stack -> {
                run("mount", "-o", "remount,size=" + SIZE, data.toString());
                kafka.kill(); // It has stopped, or is about to: the supervisor starts it again.
                kafka.start();
              }));
    } finally {
      kafka.kill();
      Folders.remove(aside);
      run("cp", "-a", data.toString(), aside.toString());
      run("umount", data.toString());
      Files.delete(data);
      Files.move(aside, data);
      kafka.start();
    }
  }

  @Test
  void theNodeIsSafeWhenTheDiskOfTheAdaptersStateIsFull(ChaosRun chaos) throws Exception {
    Path disk = chaos.stack().home().data("adapter-disk");
    StackPart adapter = chaos.stack().part("adapter");
    String setting = "--state.file=";
    Needs.root("to mount");
    Files.createDirectories(disk);
    run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString());
    try {
      adapter.restart(
          command ->
              command.stream()
                  .map(a -> a.startsWith(setting) ? setting + disk.resolve("adapter.state") : a)
                  .toList(),
          Map.of());
      chaos.run(
          "disk of the adapter's state full; controller stopped",
          Promise.NeverAboveMemory,
          Fault.of(
              stack -> {
                fill(disk);
                stack.part("controller").freeze();
              },
              stack -> {
                stack.part("controller").thaw();
                run("mount", "-o", "remount,size=1m", disk.toString());
              }));
    } finally {
      adapter.restart(command -> command, Map.of());
      run("umount", disk.toString());
      Files.delete(disk);
    }
  }

  /** Makes the file system as small as what it holds. */
  private static void fill(Path disk) throws Exception {
    FileStore store = Files.getFileStore(disk);
    long usedKibibytes = (store.getTotalSpace() - store.getUnallocatedSpace()) >> 10;
    run("mount", "-o", "remount,size=" + Math.max(4, usedKibibytes) + "k", disk.toString());
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(List.of(command)).inheritIO().start();
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(String.join(" ", command) + " failed");
    }
  }
}
