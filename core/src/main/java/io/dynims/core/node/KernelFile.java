package io.dynims.core.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file of the kernel's that is kept open and read again and again. Reading it at offset 0 takes a
 * new snapshot; neither reading nor searching allocates. Not thread-safe.
 */
final class KernelFile implements Closeable {

  private static final int FIRST_BYTES = 16 << 10;

  private final Path path;
  private final FileChannel channel;
  private ByteBuffer text = ByteBuffer.allocateDirect(FIRST_BYTES);
  private int length;

  KernelFile(Path path) throws IOException {
    this.path = path;
    this.channel = FileChannel.open(path, StandardOpenOption.READ);
  }

  /** Takes a new snapshot. What one read gives is of one moment. */
  void read() throws IOException {
    text.clear();
    length = 0;
    for (int n = channel.read(text, 0); n > 0; n = channel.read(text, length)) {
      length += n;
      if (!text.hasRemaining()) {
        ByteBuffer larger = ByteBuffer.allocateDirect(2 * text.capacity());
        text.flip();
        larger.put(text);
        text = larger;
      }
    }
  }

  /** The number that follows the first occurrence of a key and any blanks; -1 if there is none. */
  long number(byte[] key) {
    int at = find(key, 0);
    return at < 0 ? -1 : numberAt(at + key.length);
  }

  /**
   * The number that follows a key.
   *
   * @throws IOException naming the key if there is none
   */
  long required(byte[] key) throws IOException {
    long value = number(key);
    if (value < 0) {
      throw new IOException(path + " has no " + new String(key, US_ASCII).strip());
    }
    return value;
  }

  /** The sum of the numbers that follow all occurrences of a key. */
  long sum(byte[] key) {
    long sum = 0;
    for (int at = find(key, 0); at >= 0; at = find(key, at + key.length)) {
      sum += Math.max(0, numberAt(at + key.length));
    }
    return sum;
  }

  private int find(byte[] key, int from) {
    for (int at = from; at <= length - key.length; at++) {
      int matched = 0;
      while (matched < key.length && text.get(at + matched) == key[matched]) {
        matched++;
      }
      if (matched == key.length) {
        return at;
      }
    }
    return -1;
  }

  private long numberAt(int from) {
    int at = from;
    while (at < length && text.get(at) == ' ') {
      at++;
    }
    long value = -1;
    while (at < length && text.get(at) >= '0' && text.get(at) <= '9') {
      value = Math.max(0, value) * 10 + text.get(at) - '0';
      at++;
    }
    return value;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
