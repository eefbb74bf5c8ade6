package io.dynims.experiments.demo;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/** The content of one block, determined by a seed and the block's number alone. */
final class BlockContent {

  private final SplittableRandom random;

  BlockContent(long seed, int block) {
    this.random = new SplittableRandom(seed * 1_000_003 + block);
  }

  /** Fills the buffer with the next bytes; its length must be a multiple of 8. */
  void fill(byte[] buffer) {
    ByteBuffer words = ByteBuffer.wrap(buffer);
    while (words.hasRemaining()) {
      words.putLong(random.nextLong());
    }
  }

  /** The checksum of a whole block. */
  static int crc(long seed, int block, int blockBytes) {
    BlockContent content = new BlockContent(seed, block);
    byte[] buffer = new byte[1 << 16];
    CRC32C crc = new CRC32C();
    for (int done = 0; done < blockBytes; done += buffer.length) {
      content.fill(buffer);
      crc.update(buffer);
    }
    return (int) crc.getValue();
  }
}
