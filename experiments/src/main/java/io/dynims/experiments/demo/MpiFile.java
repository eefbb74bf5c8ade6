package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.cli.stack.NodeGroup;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/**
 * Parts of a file that MPI programs read, and perhaps write, whose MPI-IO goes through the node's
 * cache. They touch the cache's memory, so they run on the node.
 */
public final class MpiFile implements TierLoad {

  static final int PART_BYTES = 1 << 20;

  private static final int REPORT_PARTS = 64;
  private static final int ACCESSES_A_WRITE = 4;
  private static final long END_SECONDS = 10;

  private final List<String> program;
  private final Path file;
  private final long seed;
  private final boolean writes;
  private final Part[] parts;
  private final AtomicLong written = new AtomicLong();

  /** What a part has; locked by who writes or reads it, or either version would be right. */
  private static final class Part {
    int version;
    int crc;
  }

  private MpiFile(List<String> program, Path file, long seed, long bytes, boolean writes) {
    this.program = program;
    this.file = file;
    this.seed = seed;
    this.writes = writes;
    this.parts = new Part[Math.toIntExact(bytes / PART_BYTES)];
    Arrays.setAll(parts, item -> new Part());
  }

  /**
   * A file in the stack's home, read by programs of MPICH.
   *
   * @param bytes its size, a multiple of 1 MiB
   */
  public static MpiFile of(StackHome home, StackSettings settings, long seed, long bytes) {
    return new MpiFile(
        program(home, settings, file(home, seed), List.of(), List.of()),
        file(home, seed),
        seed,
        bytes,
        false);
  }

  /** The same, but every fourth access writes its part anew before it reads it, in write-back. */
  static MpiFile written(StackHome home, StackSettings settings, long seed, long bytes) {
    List<String> mode = List.of("DYNIMS_MPIIO_MODE=write-back");
    return new MpiFile(
        program(home, settings, file(home, seed), mode, List.of("write")),
        file(home, seed),
        seed,
        bytes,
        true);
  }

  private static Path file(StackHome home, long seed) {
    return home.state().resolve("mpiio-demo-" + seed);
  }

  private static List<String> program(
      StackHome home,
      StackSettings settings,
      Path file,
      List<String> environment,
      List<String> arguments) {
    Path built = home.project().resolve("mpiio-cache/target");
    List<String> program =
        new ArrayList<>(
            List.of(
                "env",
                "LD_PRELOAD=" + built.resolve("libdynims-mpiio-mpich.so"),
                "DYNIMS_MPIIO=" + home.tier(settings.tierParent()),
                "DYNIMS_MPIIO_PATHS=" + file.getParent()));
    program.addAll(environment);
    program.add(built.resolve("mpiio-serve-mpich").toString());
    program.add(file.toString());
    program.addAll(arguments);
    Optional<NodeGroup> group = settings.nodeGroup();
    return group.map(node -> node.command("job", program)).orElse(program);
  }

  @Override
  public int items() {
    return parts.length;
  }

  @Override
  public int itemBytes() {
    return PART_BYTES;
  }

  /**
   * Writes the file and computes the checksums from the seed. One that is only read may be there.
   */
  @Override
  public void ensure(LongConsumer doneBytes) throws IOException {
    boolean there =
        !writes && Files.exists(file) && Files.size(file) == (long) parts.length * PART_BYTES;
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try (OutputStream out = there ? OutputStream.nullOutputStream() : Files.newOutputStream(part)) {
      byte[] bytes = new byte[PART_BYTES];
      for (int item = 0; item < parts.length; item++) {
        fill(bytes, item, 0);
        parts[item].crc = crc(bytes);
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

  /** The parts that are wrong in the file itself, read without the cache. */
  List<Integer> wrongInFile() throws IOException {
    List<Integer> wrong = new ArrayList<>();
    try (InputStream in = Files.newInputStream(file)) {
      for (int item = 0; item < parts.length; item++) {
        if (crc(in.readNBytes(PART_BYTES)) != parts[item].crc) {
          wrong.add(item);
        }
      }
    }
    return wrong;
  }

  /** How often a part was written anew. */
  long written() {
    return written.get();
  }

  /** The file itself. */
  Path file() {
    return file;
  }

  private void fill(byte[] bytes, int item, int version) {
    new BlockContent(seed + version, item).fill(bytes);
  }

  /** One MPI program, which starts when it is used and again after a failure. */
  private final class Job implements Session {

    private Process process;
    private int accesses;

    @Override
    public Outcome read(int item) throws IOException {
      Part part = parts[item];
      synchronized (part) {
        try {
          if (process == null) {
            process =
                new ProcessBuilder(program).redirectError(ProcessBuilder.Redirect.INHERIT).start();
          }
          accesses++;
          if (writes && accesses % ACCESSES_A_WRITE == 0) {
            write(item, part);
          }
          send(item, PART_BYTES, new byte[0]);
          byte[] bytes = process.getInputStream().readNBytes(PART_BYTES);
          if (bytes.length < PART_BYTES) {
            throw new EOFException("the MPI program has ended");
          }
          return crc(bytes) == part.crc ? Outcome.Correct : Outcome.Wrong;
        } catch (IOException e) {
          close();
          throw e;
        }
      }
    }

    private void write(int item, Part part) throws IOException {
      part.version++;
      byte[] bytes = new byte[PART_BYTES];
      fill(bytes, item, part.version);
      send(item, -PART_BYTES, bytes);
      part.crc = crc(bytes);
      written.incrementAndGet();
    }

    /** Sends a request; a negative length is that of bytes to write. */
    private void send(int item, int length, byte[] bytes) throws IOException {
      String request = (long) item * PART_BYTES + " " + length + "\n";
      process.getOutputStream().write(request.getBytes(US_ASCII));
      process.getOutputStream().write(bytes);
      process.getOutputStream().flush();
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
