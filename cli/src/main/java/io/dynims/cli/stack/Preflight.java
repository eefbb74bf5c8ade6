package io.dynims.cli.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks ports, programs, tier and memory before anything starts. */
final class Preflight {

  /** Memory of all parts without the tier, measured and rounded up. */
  private static final long PARTS_BYTES = 2L << 30;

  private final StackHome home;
  private final StackSettings settings;
  private final Machine machine;

  Preflight(StackHome home, StackSettings settings, Machine machine) {
    this.home = home;
    this.settings = settings;
    this.machine = machine;
  }

  /**
   * Checks what the parts that are about to start need.
   *
   * @throws StackException naming every problem
   */
  void check(List<Part> starting) throws StackException {
    List<String> problems = new ArrayList<>();
    for (Part part : starting) {
      part.ports().forEach(setting -> checkPort(part, setting, problems));
    }
    if (starting.stream().anyMatch(part -> part.name().equals(settings.store().server()))) {
      settings.store().program().ifPresent(program -> checkInstalled(program, problems));
      if (settings.store().isInTierParent()) {
        checkTier(problems);
      }
      checkMemory(problems);
    }
    if (!problems.isEmpty()) {
      throw new StackException(String.join("\n", problems));
    }
  }

  private void checkPort(Part part, String setting, List<String> problems) {
    int port = settings.port(setting);
    if (!PortHolder.isFree(port)) {
      problems.add(
          part.name()
              + ": port "
              + port
              + " is taken"
              + PortHolder.of(port).map(holder -> " by " + holder).orElse("")
              + "; choose another one with ./dynims up --set "
              + setting
              + "=PORT");
    }
  }

  private void checkInstalled(String program, List<String> problems) {
    if (!Tools.isInstalled(program)) {
      problems.add(
          settings.store().server()
              + ": "
              + program
              + " is not installed; install it with: RUNLEVEL=1 apt-get install -y"
              + " --no-install-recommends "
              + program);
    }
  }

  private void checkTier(List<String> problems) {
    Path parent = settings.tierParent();
    try {
      if (!Files.isDirectory(parent) || !Files.isWritable(parent)) {
        problems.add("tier.parent: " + parent + " is not a writable folder");
        return;
      }
      String type = Files.getFileStore(parent).type();
      if (!type.equals("tmpfs") && !type.equals("ramfs")) {
        problems.add("tier.parent: " + parent + " is on " + type + ", not in memory (tmpfs)");
      }
      long freeBytes =
          Files.getFileStore(parent).getUsableSpace() + Folders.sizeBytes(home.tier(parent));
      if (freeBytes < settings.tierMaxBytes()) {
        problems.add(
            "tier.max: "
                + Text.bytes(settings.tierMaxBytes())
                + " does not fit into "
                + parent
                + ", which has "
                + Text.bytes(freeBytes)
                + " free; lower tier.max, or enlarge the file system (mount -o remount,size=… "
                + parent
                + "; docker run --shm-size=…)");
      }
    } catch (IOException e) {
      problems.add("tier.parent: cannot read " + parent + ": " + e.getMessage());
    }
  }

  private void checkMemory(List<String> problems) {
    if (machine.memoryAvailableBytes() < PARTS_BYTES) {
      problems.add(
          "memory: "
              + Text.bytes(machine.memoryAvailableBytes())
              + " are available, but the stack needs "
              + Text.bytes(PARTS_BYTES)
              + " in addition to the tier; stop other programs first");
    }
  }
}
