package io.dynims.experiments.bench.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Watches what may delay single accesses of one thread, and keeps the slowest ones. */
final class AccessWatch implements AutoCloseable {

  /** The system property that names the file in which the under store counts accesses. */
  static final String COUNTER = "dynims.under.store.counter";

  /** Enough for a hundredth of 10,000. */
  static final int MOST_KEPT = 100;

  private static final Pattern SCHEDSTAT = Pattern.compile("^\\d+ (\\d+) ");
  private static final int LINE_BYTES = 128;
  private static final long NANOS_PER_MICRO = 1_000;

  private final PriorityQueue<SlowAccess> slowest =
      new PriorityQueue<>(Comparator.comparingDouble(SlowAccess::micros));
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();
  private final ByteBuffer line = ByteBuffer.allocateDirect(LINE_BYTES);
  private final FileChannel schedule;
  private final MappedByteBuffer counter;
  private long waitMicros;
  private long collectionMillis;
  private long underStoreAccesses;

  /** Watches this thread, as far as the kernel tells about it. */
  AccessWatch() throws IOException {
    Path thread = Path.of("/proc/thread-self/schedstat");
    this.schedule = Files.exists(thread) ? FileChannel.open(thread, StandardOpenOption.READ) : null;
    String file = System.getProperty(COUNTER, "");
    this.counter = file.isEmpty() ? null : map(Path.of(file));
  }

  private static MappedByteBuffer map(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      MappedByteBuffer mapped = channel.map(MapMode.READ_ONLY, 0, Long.BYTES);
      mapped.order(ByteOrder.nativeOrder());
      return mapped;
    }
  }

  /** An access is about to begin. */
  void begin() throws IOException {
    waitMicros = waitMicros();
    collectionMillis = collectionMillis();
    underStoreAccesses = underStoreAccesses();
  }

  /** The access is over. */
  void end(float micros, boolean otherBlock) throws IOException {
    if (slowest.size() == MOST_KEPT) {
      if (micros <= slowest.peek().micros()) {
        return;
      }
      slowest.poll();
    }
    slowest.add(
        new SlowAccess(
            System.currentTimeMillis(),
            micros,
            collectionMillis() - collectionMillis,
            waitMicros() - waitMicros,
            underStoreAccesses() - underStoreAccesses,
            otherBlock));
  }

  /** The slowest accesses, in any order. */
  List<SlowAccess> slowest() {
    return List.copyOf(slowest);
  }

  private long collectionMillis() {
    long millis = 0;
    for (GarbageCollectorMXBean collector : collectors) {
      millis += Math.max(0, collector.getCollectionTime());
    }
    return millis;
  }

  private long underStoreAccesses() {
    return counter == null ? 0 : counter.getLong(0);
  }

  /** The second of the file's numbers, which are in nanoseconds. */
  private long waitMicros() throws IOException {
    if (schedule == null) {
      return 0;
    }
    line.clear();
    int length = schedule.read(line, 0);
    byte[] bytes = new byte[Math.max(0, length)];
    line.flip().get(bytes);
    return waitNanos(new String(bytes, US_ASCII)) / NANOS_PER_MICRO;
  }

  /** What /proc/thread-self/schedstat tells of the time in which a thread waited to run. */
  static long waitNanos(String schedstat) {
    Matcher numbers = SCHEDSTAT.matcher(schedstat);
    return numbers.find() ? Long.parseLong(numbers.group(1)) : 0;
  }

  @Override
  public void close() throws IOException {
    if (schedule != null) {
      schedule.close();
    }
  }
}
