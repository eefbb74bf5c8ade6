package io.dynims.experiments.demo;

import alluxio.client.file.FileInStream;
import alluxio.client.file.FileSystem;
import alluxio.client.file.URIStatus;
import alluxio.wire.FileInfo;
import java.lang.reflect.Proxy;

/** One file of a data set, with a wrong byte in one block, behind Alluxio's interface. */
public final class PlantedFiles {

  /** The size of the data set. */
  public static final long BYTES = 4L * DataSet.BLOCK_BYTES;

  private PlantedFiles() {}

  /** The data set of a seed, whose checksums are known. */
  public static DataSet dataSet(long seed, int wrongBlock) throws Exception {
    byte[] content = new byte[Math.toIntExact(BYTES)];
    byte[] block = new byte[DataSet.BLOCK_BYTES];
    for (int i = 0; i < BYTES / block.length; i++) {
      new BlockContent(seed, i).fill(block);
      System.arraycopy(block, 0, content, i * block.length, block.length);
    }
    content[wrongBlock * block.length + block.length / 2] ^= 1;
    DataSet data = new DataSet(files(content), seed, BYTES);
    data.ensure(done -> {});
    return data;
  }

  private static FileSystem files(byte[] content) {
    FileInfo info = new FileInfo();
    info.setCompleted(true);
    info.setPersisted(true);
    info.setLength(content.length);
    info.setBlockSizeBytes(DataSet.BLOCK_BYTES);
    return (FileSystem)
        Proxy.newProxyInstance(
            PlantedFiles.class.getClassLoader(),
            new Class<?>[] {FileSystem.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "exists" -> true;
                  case "getStatus" -> new URIStatus(info);
                  case "openFile" -> new Stream(content);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static final class Stream extends FileInStream {

    private final byte[] content;
    private int position;

    Stream(byte[] content) {
      this.content = content;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      int count = Math.min(length, content.length - position);
      System.arraycopy(content, position, buffer, offset, count);
      position += count;
      return count == 0 ? -1 : count;
    }

    @Override
    public void seek(long newPosition) {
      position = Math.toIntExact(newPosition);
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public long remaining() {
      return (long) content.length - position;
    }

    @Override
    public int positionedRead(long from, byte[] buffer, int offset, int length) {
      System.arraycopy(content, Math.toIntExact(from), buffer, offset, length);
      return length;
    }
  }
}
