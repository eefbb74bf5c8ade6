package io.dynims.adapter;

import alluxio.AlluxioURI;
import alluxio.client.file.FileInStream;
import alluxio.client.file.FileOutStream;
import alluxio.client.file.FileSystem;
import alluxio.conf.Configuration;
import alluxio.exception.AlluxioException;
import alluxio.grpc.CreateFilePOptions;
import alluxio.grpc.SetAttributePOptions;
import alluxio.grpc.WritePType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Files in Alluxio whose content follows from their numbers; evicted blocks come back from the UFS.
 */
final class TestFiles implements AutoCloseable {

  private record Written(AlluxioURI uri, int seed, int bytes) {}

  private final FileSystem alluxio = FileSystem.Factory.create(Configuration.global());
  private final List<Written> written = new CopyOnWriteArrayList<>();
  private final String prefix;
  private int next;

  TestFiles() {
    this("file");
  }

  /** Files whose names begin with a prefix that no other files have. */
  TestFiles(String prefix) {
    this.prefix = prefix;
  }

  /** Writes files of one block each, also to the under file system. */
  void write(int count, int bytes) throws IOException, AlluxioException {
    write(count, bytes, WritePType.CACHE_THROUGH);
  }

  /** Writes files of one block each. */
  void write(int count, int bytes, WritePType type) throws IOException, AlluxioException {
    for (int i = 0; i < count; i++) {
      Written file = new Written(new AlluxioURI("/" + prefix + "-" + next), next, bytes);
      next++;
      try (FileOutStream out =
          alluxio.createFile(
              file.uri(),
              CreateFilePOptions.newBuilder()
                  .setBlockSizeBytes(bytes)
                  .setWriteType(type)
                  .build())) {
        out.write(content(file));
      }
      written.add(file);
    }
  }

  /** Does what Alluxio's job service does to persist files; the tests have none. */
  void persistAll(Path underFileSystem) throws IOException, AlluxioException {
    for (Written file : written) {
      Files.write(underFileSystem.resolve(file.uri().getName()), content(file));
      alluxio.setAttribute(
          file.uri(), SetAttributePOptions.newBuilder().setPersisted(true).build());
    }
  }

  /** How many of the files are in Alluxio completely. */
  long inAlluxio() throws IOException, AlluxioException {
    long count = 0;
    for (Written file : written) {
      count += alluxio.getStatus(file.uri()).getInAlluxioPercentage() == 100 ? 1 : 0;
    }
    return count;
  }

  void pinAll(boolean pinned) throws IOException, AlluxioException {
    for (Written file : written) {
      alluxio.setAttribute(file.uri(), SetAttributePOptions.newBuilder().setPinned(pinned).build());
    }
  }

  void readAndCheckAll() {
    written.forEach(this::readAndCheck);
  }

  void readAndCheckOne(Random random) {
    readAndCheck(written.get(random.nextInt(written.size())));
  }

  void deleteAll() throws IOException, AlluxioException {
    for (Written file : written) {
      alluxio.delete(file.uri());
    }
    written.clear();
  }

  @Override
  public void close() throws IOException {
    alluxio.close();
  }

  private void readAndCheck(Written file) {
    try (FileInStream in = alluxio.openFile(file.uri())) {
      if (!Arrays.equals(in.readAllBytes(), content(file))) {
        throw new AssertionError(file + " has wrong bytes");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (AlluxioException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] content(Written file) {
    byte[] bytes = new byte[file.bytes()];
    new Random(file.seed()).nextBytes(bytes);
    return bytes;
  }
}
