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
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A process that carries out orders. For each line of its input with an {@link AccessOrder} it
 * answers {@code ready}; then it opens, accesses and closes the file, each when the next line
 * comes, and each answered by a line, the last one with its {@link AccessOutcome}. So, whoever
 * gives the orders is the barrier of several such processes. Further passes of an order open and
 * close the file on their own, without a barrier.
 */
public final class AccessWorker {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double NANOS = 1e9;

  private final Access access;
  private ByteBuffer buffer;
  private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));

  /** Libraries print to standard output, too; that goes to standard error. */
  private final PrintStream out =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);

  private AccessWorker(Access access) {
    this.access = access;
  }

  /**
   * Arguments: {@code native HOST:PORT OWN-HOST}, {@code s3 HOST:PORT}, {@code file FOLDER} or
   * {@code heap FOLDER}.
   */
  public static void main(String[] args) throws IOException {
    System.setOut(System.err);
    try (Access access = access(args)) {
      new AccessWorker(access).run();
    }
  }

  private static Access access(String[] args) {
    String kind = args.length > 1 ? args[0] : "";
    return switch (kind) {
      case "native" -> new NativeAccess(args[1], args[2]);
      case "s3" -> new S3Access(args[1]);
      case "file" -> new FileAccess(Path.of(args[1]), false);
      case "heap" -> new FileAccess(Path.of(args[1]), true);
      default ->
          throw new IllegalArgumentException("usage: AccessWorker native|s3|file|heap WHERE");
    };
  }

  private void run() throws IOException {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      AccessOrder order = JSON.readValue(line, AccessOrder.class);
      if (buffer == null || buffer.capacity() != order.blockBytes()) {
        buffer = access.buffer(order.blockBytes());
      }
      try (AccessWatch watch = order.watchedBlockBytes() > 0 ? new AccessWatch() : null) {
        out.println(JSON.writeValueAsString(new Job(order, watch).run()));
      }
    }
  }

  /** One order. */
  private final class Job {

    private final AccessOrder order;
    private final AccessWatch watch;
    private final int[] blocks;
    private float[] micros = new float[1024];
    private int done;
    private int wrong;
    private long lastOffset;
    private long openNanos;
    private long accessNanos;
    private long closeNanos;
    private String error;
    private Access.OpenFile file;

    Job(AccessOrder order, AccessWatch watch) {
      this.order = order;
      this.watch = watch;
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
      phase("open", this::open);
      phase("access", this::accessAll);
      phase("close", this::close);
      return new AccessOutcome(
          openNanos / NANOS,
          accessNanos / NANOS,
          closeNanos / NANOS,
          Arrays.copyOf(micros, done),
          watch == null ? List.of() : watch.slowest(),
          wrong,
          error);
    }

    /** Answers, waits for the others, and does a part of the order unless one before has failed. */
    private void phase(String name, Phase phase) throws IOException {
      out.println("ready");
      in.readLine();
      if (error == null || (name.equals("close") && file != null)) {
        try {
          phase.run();
        } catch (IOException | RuntimeException e) {
          error = error == null ? name + ": " + e : error;
        }
      }
    }

    private void open() throws IOException {
      long begin = System.nanoTime();
      file = access.open(order.file(), order.write());
      openNanos += System.nanoTime() - begin;
    }

    private void close() throws IOException {
      long begin = System.nanoTime();
      file.close();
      closeNanos += System.nanoTime() - begin;
    }

    private void accessAll() throws IOException {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(order.millis());
      while (true) {
        pass(end);
        if (System.nanoTime() >= end) {
          return;
        }
        // The kernel keeps pages of a FUSE mount while the file is open.
        close();
        open();
      }
    }

    private void pass(long end) throws IOException {
      for (int i = 0; i < blocks.length; i++) {
        if (!order.whole() && i > 0 && System.nanoTime() >= end) {
          return;
        }
        accessOne((long) blocks[i] * order.blockBytes());
      }
    }

    private void accessOne(long offset) throws IOException {
      if (order.write()) {
        Content.fill(buffer, offset);
      }
      if (watch != null) {
        watch.begin();
      }
      long begin = System.nanoTime();
      if (order.write()) {
        file.write(offset, buffer);
      } else {
        file.read(offset, buffer);
      }
      long took = System.nanoTime() - begin;
      accessNanos += took;
      keep(took / 1e3f);
      if (watch != null) {
        watch.end(took / 1e3f, isOtherBlock(offset));
      }
      if (!order.write() && !isRight(offset)) {
        wrong++;
      }
      lastOffset = offset;
    }

    private boolean isOtherBlock(long offset) {
      long block = order.watchedBlockBytes();
      return offset / block != lastOffset / block;
    }

    private boolean isRight(long offset) {
      return order.thorough()
          ? Content.matches(buffer, offset)
          : Content.matchesInSamples(buffer, offset);
    }

    private void keep(float took) {
      if (done == micros.length) {
        micros = Arrays.copyOf(micros, 2 * done);
      }
      micros[done++] = took;
    }
  }

  /** A part of an order. */
  private interface Phase {
    void run() throws IOException;
  }
}
