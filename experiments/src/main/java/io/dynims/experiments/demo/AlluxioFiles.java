package io.dynims.experiments.demo;

import alluxio.ClientContext;
import alluxio.client.file.FileSystem;
import alluxio.client.file.FileSystemContext;
import alluxio.conf.Configuration;
import alluxio.conf.InstancedConfiguration;
import alluxio.conf.PropertyKey;
import alluxio.conf.Source;
import java.io.IOException;

/** A client of an Alluxio file system. */
public final class AlluxioFiles implements AutoCloseable {

  private final FileSystemContext context;
  private final FileSystem files;

  /** Connects to the Alluxio named by Alluxio's own configuration. */
  AlluxioFiles() {
    this(Configuration.copyGlobal());
  }

  /** Connects to a master whose worker is on this machine. */
  public AlluxioFiles(String masterHost, int masterPort) {
    // Read the tier of the local worker directly, as a job next to it would.
    this(masterHost, masterPort, masterHost);
  }

  /**
   * Connects to a master.
   *
   * @param ownHost of this client; a worker of the same host is read directly
   */
  public AlluxioFiles(String masterHost, int masterPort, String ownHost) {
    this(configuration(masterHost, masterPort, ownHost));
  }

  private AlluxioFiles(InstancedConfiguration conf) {
    conf.set(PropertyKey.USER_METRICS_COLLECTION_ENABLED, false, Source.RUNTIME);
    this.context = FileSystemContext.create(ClientContext.create(conf));
    this.files = FileSystem.Factory.create(context);
  }

  private static InstancedConfiguration configuration(
      String masterHost, int masterPort, String ownHost) {
    InstancedConfiguration conf = Configuration.copyGlobal();
    conf.set(PropertyKey.MASTER_HOSTNAME, masterHost, Source.RUNTIME);
    conf.set(PropertyKey.MASTER_RPC_PORT, masterPort, Source.RUNTIME);
    conf.set(PropertyKey.USER_HOSTNAME, ownHost, Source.RUNTIME);
    return conf;
  }

  /** The file system. */
  public FileSystem files() {
    return files;
  }

  @Override
  public void close() throws IOException {
    context.close();
  }
}
