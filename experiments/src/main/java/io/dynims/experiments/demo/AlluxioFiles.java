package io.dynims.experiments.demo;

import alluxio.ClientContext;
import alluxio.client.file.FileSystem;
import alluxio.client.file.FileSystemContext;
import alluxio.conf.Configuration;
import alluxio.conf.InstancedConfiguration;
import alluxio.conf.PropertyKey;
import alluxio.conf.Source;
import java.io.IOException;

/** A connection to Alluxio's files. */
public final class AlluxioFiles implements AutoCloseable {

  private final FileSystemContext context;
  private final FileSystem files;

  /** To the Alluxio that Alluxio's own configuration names. */
  AlluxioFiles() {
    this(Configuration.copyGlobal());
  }

  /** To the Alluxio of a master on this machine, whose worker is on it as well. */
  public AlluxioFiles(String masterHost, int masterPort) {
    this(onThisMachine(masterHost, masterPort));
  }

  private AlluxioFiles(InstancedConfiguration conf) {
    conf.set(PropertyKey.USER_METRICS_COLLECTION_ENABLED, false, Source.RUNTIME);
    this.context = FileSystemContext.create(ClientContext.create(conf));
    this.files = FileSystem.Factory.create(context);
  }

  private static InstancedConfiguration onThisMachine(String masterHost, int masterPort) {
    InstancedConfiguration conf = Configuration.copyGlobal();
    conf.set(PropertyKey.MASTER_HOSTNAME, masterHost, Source.RUNTIME);
    conf.set(PropertyKey.MASTER_RPC_PORT, masterPort, Source.RUNTIME);
    // The worker is on this machine: read its tier directly, as a job next to it would.
    conf.set(PropertyKey.USER_HOSTNAME, masterHost, Source.RUNTIME);
    return conf;
  }

  /** What reads and writes them. */
  public FileSystem files() {
    return files;
  }

  @Override
  public void close() throws IOException {
    context.close();
  }
}
