package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.cli.stack.NodeGroup;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/**
 * Parts of a file that MPI programs read, whose MPI-IO goes through the node's cache. They touch
 * the cache's memory, so they run on the node.
 */
public final class MpiFile implements TierLoad {

  static final int PART_BYTES = 1 << 20;

  private static final int REPORT_PARTS = 64;
  private static final long END_SECONDS = 10;

  private final List<String> program;
  private final Path file;
  private final long seed;
  private final int[] crcs;

  private MpiFile(List<String> program, Path file, long seed, long bytes) {
    this.program = program;
    this.file = file;
    this.seed = seed;
    this.crcs = new int[Math.toIntExact(bytes / PART_BYTES)];
  }

  /**
   * A file in the stack's home, read by programs of MPICH.
   *
   * @param bytes its size, a multiple of 1 MiB
   */
  public static MpiFile of(StackHome home, StackSettings settings, long seed, long bytes) {
    Path built = home.project().resolve("mpiio-cache/target");
    Path file = home.state().resolve("mpiio-demo-" + seed);
    List<String> program =
        List.of(
            "env",
            "LD_PRELOAD=" + built.resolve("libdynims-mpiio-mpich.so"),
            "DYNIMS_MPIIO=" + home.tier(settings.tierParent()),
            "DYNIMS_MPIIO_PATHS=" + file.getParent(),
            built.resolve("mpiio-serve-mpich").toString(),
            file.toString());
    Optional<NodeGroup> group = settings.nodeGroup();
    return new MpiFile(
        group.map(node -> node.command("job", program)).orElse(program), file, seed, bytes);
  }

  @Override
  public int items() {
    return crcs.length;
  }

  @Override
  public int itemBytes() {
    return PART_BYTES;
  }

  /** Writes the file unless it is there, and computes the checksums from the seed. */
  @Override
  public void ensure(LongConsumer doneBytes) throws IOException {
    boolean there = Files.exists(file) && Files.size(file) == (long) crcs.length * PART_BYTES;
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try (OutputStream out = there ? OutputStream.nullOutputStream() : Files.newOutputStream(part)) {
      byte[] bytes = new byte[PART_BYTES];
      for (int item = 0; item < crcs.length; item++) {
        new BlockContent(seed, item).fill(bytes);
        crcs[item] = crc(bytes);
        out.write(bytes);
        if ((item + 1) % REPORT_PARTS == 0) {
          doneBytes.accept((item + 1L) * PART_BYTES);
        }
      }
    }
    if (!there) {
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  @Override
  public Session session() {
    return new Job();
  }

  /** One MPI program, which starts when it is used and again after a failure. */
  private final class Job implements Session {

    private Process process;

    @Override
    public Outcome read(int item) throws IOException {
      try {
        if (process == null) {
          process =
              new ProcessBuilder(program).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        }
        String request = (long) item * PART_BYTES + " " + PART_BYTES + "\n";
        process.getOutputStream().write(request.getBytes(US_ASCII));
        process.getOutputStream().flush();
        byte[] bytes = process.getInputStream().readNBytes(PART_BYTES);
        if (bytes.length < PART_BYTES) {
          throw new EOFException("the MPI program has ended");
        }
        return crc(bytes) == crcs[item] ? Outcome.Correct : Outcome.Wrong;
      } catch (IOException e) {
        close();
        throw e;
      }
    }

    /** The end of its input ends the program. */
    @Override
    public void close() {
      if (process == null) {
        return;
      }
      try {
        process.getOutputStream().close();
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (IOException e) {
        process.destroyForcibly();
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
      process = null;
    }
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
