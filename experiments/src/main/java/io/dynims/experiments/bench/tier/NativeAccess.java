package io.dynims.experiments.bench.tier;

import alluxio.AlluxioURI;
import alluxio.client.file.FileInStream;
import alluxio.client.file.FileOutStream;
import alluxio.exception.AlluxioException;
import alluxio.grpc.CreateFilePOptions;
import alluxio.grpc.DeletePOptions;
import io.dynims.experiments.demo.AlluxioFiles;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Files of Alluxio, by its own client, with its defaults. */
final class NativeAccess implements Access {

  private final AlluxioFiles alluxio;

  /**
   * Connects to a master.
   *
   * @param master its host and port
   * @param ownHost of this client: it reads blocks of a worker of the same host by itself
   */
  NativeAccess(String master, String ownHost) {
    int colon = master.lastIndexOf(':');
    this.alluxio =
        new AlluxioFiles(
            master.substring(0, colon), Integer.parseInt(master.substring(colon + 1)), ownHost);
  }

  @Override
  public OpenFile open(String file, boolean write) throws IOException {
    AlluxioURI uri = new AlluxioURI("/" + file);
    try {
      if (!write) {
        return new Input(alluxio.files().openFile(uri));
      }
      if (alluxio.files().exists(uri)) {
        alluxio.files().delete(uri, DeletePOptions.newBuilder().setUnchecked(true).build());
      }
      CreateFilePOptions options = CreateFilePOptions.newBuilder().setRecursive(true).build();
      return new Output(alluxio.files().createFile(uri, options));
    } catch (AlluxioException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    alluxio.close();
  }

  private record Input(FileInStream in) implements OpenFile {

    @Override
    public void read(long offset, ByteBuffer buffer) throws IOException {
      int length = buffer.capacity();
      if (in.getPos() != offset) {
        in.seek(offset);
      }
      for (int done = 0; done < length; ) {
        int count = in.read(buffer.array(), buffer.arrayOffset() + done, length - done);
        if (count < 0) {
          throw new EOFException("the file ends at " + (offset + done));
        }
        done += count;
      }
    }

    @Override
    public void write(long offset, ByteBuffer buffer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  private record Output(FileOutStream out) implements OpenFile {

    @Override
    public void read(long offset, ByteBuffer buffer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void write(long offset, ByteBuffer buffer) throws IOException {
      if (out.getBytesWritten() != offset) {
        throw new IOException("a file of Alluxio is written once, from start to end");
      }
      out.write(buffer.array(), buffer.arrayOffset(), buffer.capacity());
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
