package io.dynims.experiments.bench.tier;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;

/** What a mount does with writes that are not the first ones of a file, from start to end. */
final class WriteProbes {

  private static final int LENGTH = 256 << 10;
  private static final int PIECE = 4096;
  private static final String DONE = "done";
  private static final String REFUSED = "refused: ";
  private static final String BACK = "a piece at the start of a new file, after its first 256 KiB";

  /** Alluxio's mount appends what goes back. */
  private static final String APPENDED = "silently wrong: " + (LENGTH + PIECE) + " bytes";

  private final Path file;

  /** Tries them with a file that is made anew each time. */
  WriteProbes(Path file) {
    this.file = file;
  }

  /** A way to write a piece into a file. */
  private interface Probe {
    /** Returns where the piece should be. */
    int write(ByteBuffer piece) throws IOException;
  }

  /** What happened, by what was tried. */
  Map<String, String> run() throws IOException {
    Map<String, String> outcomes = new TreeMap<>();
    outcomes.put("a piece at the end of a file that was closed", run(this::append));
    outcomes.put("a piece at the start of a file that was closed", run(this::overwrite));
    outcomes.put(BACK, run(this::goBack));
    return outcomes;
  }

  /** Whether an outcome is right, a refusal, or what Alluxio's mount is known to do wrong. */
  static boolean isExpected(String tried, String outcome) {
    return outcome.equals(DONE)
        || outcome.startsWith(REFUSED)
        || (tried.equals(BACK) && outcome.startsWith(APPENDED));
  }

  private String run(Probe probe) throws IOException {
    Files.deleteIfExists(file);
    ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
    Content.fill(piece, LENGTH);
    int place;
    try {
      place = probe.write(piece);
    } catch (IOException e) {
      return REFUSED + e.getMessage();
    }
    byte[] bytes = Files.readAllBytes(file);
    int length = Math.max(LENGTH, place + PIECE);
    if (bytes.length != length) {
      return "silently wrong: " + bytes.length + " bytes instead of " + length;
    }
    piece.clear();
    return ByteBuffer.wrap(bytes, place, PIECE).equals(piece) ? DONE : "silently wrong bytes";
  }

  private static void writeFirst(FileChannel channel) throws IOException {
    ByteBuffer first = ByteBuffer.allocateDirect(LENGTH);
    while (first.hasRemaining()) {
      channel.write(first);
    }
  }

  private FileChannel open(StandardOpenOption... options) throws IOException {
    return FileChannel.open(file, options);
  }

  private void make() throws IOException {
    try (FileChannel channel = open(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      writeFirst(channel);
    }
  }

  private int append(ByteBuffer piece) throws IOException {
    make();
    try (FileChannel channel = open(StandardOpenOption.APPEND)) {
      channel.write(piece);
    }
    return LENGTH;
  }

  private int overwrite(ByteBuffer piece) throws IOException {
    make();
    try (FileChannel channel = open(StandardOpenOption.WRITE)) {
      channel.write(piece, 0);
    }
    return 0;
  }

  private int goBack(ByteBuffer piece) throws IOException {
    try (FileChannel channel = open(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      writeFirst(channel);
      channel.write(piece, 0);
    }
    return 0;
  }
}
