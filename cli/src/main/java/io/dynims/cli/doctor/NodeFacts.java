package io.dynims.cli.doctor;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.core.node.MachineMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * This machine, as far as checks need it.
 *
 * @param memoryTotalBytes its memory
 * @param swapTotalBytes 0 if it does not swap
 * @param hugePages the kernel's policy for pages of tmpfs, such as {@code never}; empty if it has
 *     no huge pages
 * @param stateFreeBytes what is free where the programs keep their state; empty if nobody said
 *     where that is
 */
record NodeFacts(
    long memoryTotalBytes,
    long swapTotalBytes,
    Optional<String> hugePages,
    OptionalLong stateFreeBytes) {

  private static final Pattern SWAP_TOTAL = Pattern.compile("(?m)^SwapTotal:\\s*(\\d+) kB");
  private static final Pattern CHOSEN = Pattern.compile("\\[(\\w+)]");
  private static final String HUGE_PAGES = "sys/kernel/mm/transparent_hugepage/shmem_enabled";

  static NodeFacts read(DoctorOptions options) throws IOException {
    Path root = options.root();
    String memory = Files.readString(root.resolve("proc/meminfo"), US_ASCII);
    Matcher swap = SWAP_TOTAL.matcher(memory);
    Optional<Path> state = options.targets().stateDirectory();
    return new NodeFacts(
        MachineMemory.now(root).totalBytes(),
        swap.find() ? Long.parseLong(swap.group(1)) * 1024 : 0,
        hugePages(root.resolve(HUGE_PAGES)),
        state.isPresent() && Files.exists(state.get())
            ? OptionalLong.of(Files.getFileStore(state.get()).getUsableSpace())
            : OptionalLong.empty());
  }

  private static Optional<String> hugePages(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Matcher chosen = CHOSEN.matcher(Files.readString(file, US_ASCII));
    return chosen.find() ? Optional.of(chosen.group(1)) : Optional.empty();
  }
}
