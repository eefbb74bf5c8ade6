package io.dynims.experiments.bench.tier;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A process that carries out orders. For each line of its input with an {@link AccessOrder} it
 * answers {@code ready}; then it opens, accesses and closes the file, each when the next line
 * comes, and each answered by a line, the last one with its {@link AccessOutcome}. So, whoever
 * gives the orders is the barrier of several such processes.
 */
public final class AccessWorker {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double NANOS = 1e9;

  private final Access access;
  private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));

  /** Libraries print to standard output, too; that goes to standard error. */
  private final PrintStream out =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);

  private AccessWorker(Access access) {
    this.access = access;
  }

  /** Arguments: {@code native PORT}, {@code s3 PORT} or {@code file FOLDER}. */
  public static void main(String[] args) throws IOException {
    System.setOut(System.err);
    try (Access access = access(args)) {
      new AccessWorker(access).run();
    }
  }

  private static Access access(String[] args) {
    String kind = args.length == 2 ? args[0] : "";
    return switch (kind) {
      case "native" -> new NativeAccess(Integer.parseInt(args[1]));
      case "s3" -> new S3Access(Integer.parseInt(args[1]));
      case "file" -> new FileAccess(Path.of(args[1]));
      default -> throw new IllegalArgumentException("usage: AccessWorker native|s3|file WHERE");
    };
  }

  private void run() throws IOException {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      AccessOutcome outcome = new Job(JSON.readValue(line, AccessOrder.class)).run();
      out.println(JSON.writeValueAsString(outcome));
    }
  }

  /** One order. */
  private final class Job {

    private final AccessOrder order;
    private final ByteBuffer buffer;
    private final int[] blocks;
    private float[] micros = new float[1024];
    private int done;
    private int wrong;
    private long nanos;
    private String error;
    private Access.OpenFile file;

    Job(AccessOrder order) {
      this.order = order;
      this.buffer = access.buffer(order.blockBytes());
      this.blocks = new int[order.count()];
      Arrays.setAll(blocks, i -> i);
      if (order.random()) {
        shuffle(new Random(order.seed()));
      }
    }

    private void shuffle(Random random) {
      for (int i = blocks.length - 1; i > 0; i--) {
        int other = random.nextInt(i + 1);
        int block = blocks[i];
        blocks[i] = blocks[other];
        blocks[other] = block;
      }
    }

    AccessOutcome run() throws IOException {
      double opened = phase("open", () -> file = access.open(order.file(), order.write()));
      phase("access", this::accessAll);
      double closed = phase("close", () -> file.close());
      return new AccessOutcome(
          opened, nanos / NANOS, closed, Arrays.copyOf(micros, done), wrong, error);
    }

    /** Answers, waits for the others, and does a part of the order unless one before has failed. */
    private double phase(String name, Phase phase) throws IOException {
      out.println("ready");
      in.readLine();
      long begin = System.nanoTime();
      if (error == null || (name.equals("close") && file != null)) {
        try {
          phase.run();
        } catch (IOException | RuntimeException e) {
          error = error == null ? name + ": " + e : error;
        }
      }
      return (System.nanoTime() - begin) / NANOS;
    }

    private void accessAll() throws IOException {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(order.millis());
      do {
        for (int i = 0; i < blocks.length && (i == 0 || isTime(end)); i++) {
          accessOne((long) blocks[i] * order.blockBytes());
        }
        if (order.millis() > 0) {
          // The kernel keeps pages of a FUSE mount while the file is open.
          file.close();
          file = access.open(order.file(), order.write());
        }
      } while (order.millis() > 0 && isTime(end));
    }

    private boolean isTime(long end) {
      return order.millis() == 0 || System.nanoTime() < end;
    }

    private void accessOne(long offset) throws IOException {
      if (order.write()) {
        Content.fill(buffer, offset);
      }
      long begin = System.nanoTime();
      if (order.write()) {
        file.write(offset, buffer);
      } else {
        file.read(offset, buffer);
      }
      long took = System.nanoTime() - begin;
      if (!order.write() && !Content.matches(buffer, offset)) {
        wrong++;
      }
      nanos += took;
      if (done == micros.length) {
        micros = Arrays.copyOf(micros, 2 * done);
      }
      micros[done++] = took / 1e3f;
    }
  }

  /** A part of an order. */
  private interface Phase {
    void run() throws IOException;
  }
}
