package io.dynims.experiments.demo;

import alluxio.AlluxioURI;
import alluxio.client.file.FileInStream;
import alluxio.client.file.FileOutStream;
import alluxio.client.file.FileSystem;
import alluxio.client.file.URIStatus;
import alluxio.exception.AlluxioException;
import alluxio.grpc.CreateFilePOptions;
import alluxio.grpc.DeletePOptions;
import alluxio.grpc.FreePOptions;
import alluxio.grpc.OpenFilePOptions;
import alluxio.grpc.ReadPType;
import alluxio.grpc.WritePType;
import java.io.IOException;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/**
 * Files in Alluxio whose content is determined by a seed, with a checksum for each block. They are
 * written to the under store without a copy in the tier; reading loads them into the tier.
 */
public final class DataSet implements TierLoad {

  public static final int BLOCK_BYTES = 16 << 20;

  private static final int BLOCKS_PER_FILE = 4;
  private static final long FILE_BYTES = (long) BLOCKS_PER_FILE * BLOCK_BYTES;
  private static final int BUFFER_BYTES = 1 << 20;

  private final FileSystem alluxio;
  private final long seed;
  private final String folder;
  private final int[] crcs;

  /**
   * Describes a data set.
   *
   * @param bytes its size, a multiple of 64 MiB
   */
  public DataSet(FileSystem alluxio, long seed, long bytes) {
    this.alluxio = alluxio;
    this.seed = seed;
    this.folder = folder(seed);
    this.crcs = new int[Math.toIntExact(bytes / BLOCK_BYTES)];
  }

  /** The folder of a data set in Alluxio. */
  public static String folder(long seed) {
    return "/dynims-demo-" + seed;
  }

  /** The number of blocks. */
  @Override
  public int items() {
    return crcs.length;
  }

  @Override
  public int itemBytes() {
    return BLOCK_BYTES;
  }

  /** Writes missing files and computes the checksums from the seed. */
  @Override
  public void ensure(LongConsumer doneBytes) throws IOException, AlluxioException {
    for (int file = 0; file < crcs.length / BLOCKS_PER_FILE; file++) {
      if (isComplete(file)) {
        for (int block = file * BLOCKS_PER_FILE; block < (file + 1) * BLOCKS_PER_FILE; block++) {
          crcs[block] = BlockContent.crc(seed, block, BLOCK_BYTES);
        }
      } else {
        write(file);
      }
      doneBytes.accept((file + 1) * FILE_BYTES);
    }
  }

  /**
   * Reads a block through Alluxio.
   *
   * @param buffer a buffer of any size
   * @return whether its bytes are correct
   */
  public boolean verify(int block, byte[] buffer) throws IOException, AlluxioException {
    OpenFilePOptions options = OpenFilePOptions.newBuilder().setReadType(ReadPType.CACHE).build();
    CRC32C crc = new CRC32C();
    try (FileInStream in = alluxio.openFile(path(block / BLOCKS_PER_FILE), options)) {
      in.seek((long) (block % BLOCKS_PER_FILE) * BLOCK_BYTES);
      for (int left = BLOCK_BYTES; left > 0; ) {
        int read = in.read(buffer, 0, Math.min(buffer.length, left));
        if (read < 0) {
          throw new IOException("block " + block + " ends " + left + " bytes early");
        }
        crc.update(buffer, 0, read);
        left -= read;
      }
    }
    return (int) crc.getValue() == crcs[block];
  }

  /** Alluxio itself reads what the tier lacks: no read is missed. */
  @Override
  public Session session() {
    byte[] buffer = new byte[BUFFER_BYTES];
    return block -> verify(block, buffer) ? Outcome.Correct : Outcome.Wrong;
  }

  /** Asks Alluxio to remove every block from the tier; returns before it has. */
  @Override
  public void evictAll() throws IOException, AlluxioException {
    alluxio.free(new AlluxioURI(folder), FreePOptions.newBuilder().setRecursive(true).build());
  }

  private boolean isComplete(int file) throws IOException, AlluxioException {
    if (!alluxio.exists(path(file))) {
      return false;
    }
    URIStatus status = alluxio.getStatus(path(file));
    return status.isCompleted()
        && status.isPersisted()
        && status.getLength() == FILE_BYTES
        && status.getBlockSizeBytes() == BLOCK_BYTES;
  }

  private void write(int file) throws IOException, AlluxioException {
    if (alluxio.exists(path(file))) {
      alluxio.delete(path(file), DeletePOptions.newBuilder().setUnchecked(true).build());
    }
    CreateFilePOptions options =
        CreateFilePOptions.newBuilder()
            .setRecursive(true)
            .setBlockSizeBytes(BLOCK_BYTES)
            .setWriteType(WritePType.THROUGH)
            .build();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (FileOutStream out = alluxio.createFile(path(file), options)) {
      for (int block = file * BLOCKS_PER_FILE; block < (file + 1) * BLOCKS_PER_FILE; block++) {
        BlockContent content = new BlockContent(seed, block);
        CRC32C crc = new CRC32C();
        for (int done = 0; done < BLOCK_BYTES; done += BUFFER_BYTES) {
          content.fill(buffer);
          crc.update(buffer);
          out.write(buffer);
        }
        crcs[block] = (int) crc.getValue();
      }
    }
  }

  private AlluxioURI path(int file) {
    return new AlluxioURI(folder + "/part-" + file);
  }
}
