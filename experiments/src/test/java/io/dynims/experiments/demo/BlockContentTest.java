package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class BlockContentTest {

  private static final int BLOCK_BYTES = 1 << 18;

  @Test
  void dependsOnTheSeedAndTheBlockOnly() {
    int crc = BlockContent.crc(7, 3, BLOCK_BYTES);

    assertThat(BlockContent.crc(7, 3, BLOCK_BYTES)).isEqualTo(crc);
    assertThat(BlockContent.crc(7, 4, BLOCK_BYTES)).isNotEqualTo(crc);
    assertThat(BlockContent.crc(8, 3, BLOCK_BYTES)).isNotEqualTo(crc);
  }

  @Test
  void doesNotDependOnTheBufferSize() {
    BlockContent content = new BlockContent(7, 3);
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[1 << 10];
    for (int done = 0; done < BLOCK_BYTES; done += buffer.length) {
      content.fill(buffer);
      crc.update(buffer);
    }

    assertThat((int) crc.getValue()).isEqualTo(BlockContent.crc(7, 3, BLOCK_BYTES));
  }

  @Test
  void theChecksumDetectsOneWrongByte() {
    byte[] block = new byte[BLOCK_BYTES];
    new BlockContent(7, 3).fill(block);
    block[BLOCK_BYTES / 2] ^= 1;
    CRC32C crc = new CRC32C();
    crc.update(block);

    assertThat((int) crc.getValue()).isNotEqualTo(BlockContent.crc(7, 3, BLOCK_BYTES));
  }
}
