package io.dynims.cli.doctor;

import io.dynims.cli.doctor.DoctorOptions.Program;
import io.dynims.cli.stack.Text;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether the file system of the tier's data is right for it. */
final class TierFolderChecks {

  /** What others may have in the tier's file system without being worth a word. */
  private static final double LITTLE = 0.01;

  private static final List<String> HUGE = List.of("always", "within_size", "advise");

  private final Observations seen;

  TierFolderChecks(Observations seen) {
    this.seen = seen;
  }

  void addTo(Map<String, Supplier<Diagnosis>> checks) {
    String missing =
        seen.options().localStack()
            ? seen.options().restart(Program.Worker)
            : "correct --tier-dir, or start the store";
    checks.put("tier-in-memory", () -> seen.folder().presence(this::inMemory, missing));
    checks.put("tier-size", () -> seen.folder().diagnose(this::size));
    checks.put("tier-alone", () -> seen.folder().diagnose(this::alone));
    checks.put("tier-swap", () -> seen.folder().diagnose(this::swap));
    checks.put("tier-huge-pages", () -> seen.folder().diagnose(this::hugePages));
  }

  private Diagnosis inMemory(TierFolder folder) {
    String what =
        "%s is on %s, mounted at %s".formatted(folder.folder(), folder.type(), folder.mountPoint());
    return folder.isInMemory()
        ? Diagnosis.ok(what)
        : Diagnosis.error(
            what,
            "mount -t tmpfs -o huge=within_size,size=SIZE tmpfs DIRECTORY, for tier.directory and"
                + " alluxio.worker.tieredstore.level0.dirs.path");
  }

  /** The most that the store may write there, whatever capacity is in force. */
  private long neededBytes() {
    long ofAdapter =
        seen.adapter().isPresent() ? seen.adapter().value().tier().path("maxBytes").asLong() : 0;
    return seen.worker().isPresent()
        ? Math.max(ofAdapter, seen.worker().value().capacityBytes())
        : ofAdapter;
  }

  private Diagnosis size(TierFolder folder) {
    long neededBytes = neededBytes();
    if (neededBytes == 0 || folder.sizeBytes() == 0 || !folder.isInMemory()) {
      return Diagnosis.skipped("the size or the tier's maximum is not known, or it is no tmpfs");
    }
    String figures =
        "%s of %s, of which others have %s; the tier's maximum is %s"
            .formatted(
                folder.mountPoint(),
                Text.bytes(folder.sizeBytes()),
                Text.bytes(folder.otherBytes()),
                Text.bytes(neededBytes));
    return folder.sizeBytes() - folder.otherBytes() < neededBytes
        ? Diagnosis.error(
            figures,
            "mount -o remount,size=%d %s, or lower tier.max and the worker's quota"
                .formatted(neededBytes + folder.otherBytes(), folder.mountPoint()))
        : Diagnosis.ok(figures);
  }

  private Diagnosis alone(TierFolder folder) {
    if (!folder.isInMemory()) {
      return Diagnosis.skipped("it is no tmpfs");
    }
    String figure =
        "files outside of %s have %s in %s"
            .formatted(folder.folder(), Text.bytes(folder.otherBytes()), folder.mountPoint());
    return folder.otherBytes() > LITTLE * folder.sizeBytes()
        ? Diagnosis.warning(
            figure,
            "give the tier a tmpfs of its own, or remove what does not belong there: du -xh "
                + folder.mountPoint())
        : Diagnosis.ok(figure);
  }

  private Diagnosis swap(TierFolder folder) {
    if (!seen.machine().isPresent() || !folder.isInMemory()) {
      return Diagnosis.skipped("this machine's memory is not known, or it is no tmpfs");
    }
    long swapBytes = seen.machine().value().swapTotalBytes();
    if (swapBytes == 0) {
      return Diagnosis.ok("the node does not swap");
    }
    if (folder.mountOptions().contains("noswap") || !folder.type().equals("tmpfs")) {
      return Diagnosis.ok("the node swaps, but not this file system");
    }
    return Diagnosis.warning(
        "the node may swap up to %s, and so the tier".formatted(Text.bytes(swapBytes)),
        "swapoff -a; or, since Linux 6.4, mount -o remount,noswap " + folder.mountPoint());
  }

  private Diagnosis hugePages(TierFolder folder) {
    Optional<String> kernel =
        seen.machine().isPresent() ? seen.machine().value().hugePages() : Optional.empty();
    if (kernel.isEmpty() || kernel.get().equals("deny") || !folder.type().equals("tmpfs")) {
      return Diagnosis.skipped("the kernel has no huge pages for it");
    }
    Optional<String> mounted = folder.mountOption("huge").filter(HUGE::contains);
    if (mounted.isPresent() || kernel.get().equals("force")) {
      return Diagnosis.ok("huge=" + mounted.orElse("force"));
    }
    String what = folder.mountPoint() + " has no huge pages";
    // The system's own file system is shared with programs that did not ask for them.
    return folder.isShared()
        ? Diagnosis.ok(what + "; with them a tier frees memory faster (docs/install.md)")
        : Diagnosis.warning(
            what + ", with which a tier frees memory faster",
            "mount -o remount,huge=within_size " + folder.mountPoint());
  }
}
