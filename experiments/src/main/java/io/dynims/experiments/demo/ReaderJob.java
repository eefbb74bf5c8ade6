package io.dynims.experiments.demo;

import java.util.concurrent.TimeUnit;

/**
 * A job that continuously reads random blocks of its own files in Alluxio and checks every byte.
 * Alluxio's own configuration names the cluster. It exits with 1 after a wrong byte.
 */
public final class ReaderJob {

  private static final long REPORT_SECONDS = 5;

  private ReaderJob() {}

  /** Arguments: seed of the content, size of the files in bytes, bytes to read per second. */
  public static void main(String[] args) throws Exception {
    if (args.length != 3) {
      System.err.println("usage: ReaderJob SEED BYTES BYTES_PER_SECOND");
      System.exit(2);
    }
    long seed = Long.parseLong(args[0]);
    try (AlluxioFiles alluxio = new AlluxioFiles()) {
      DataSet data = new DataSet(alluxio.files(), seed, Long.parseLong(args[1]));
      data.ensure(bytes -> System.out.println("prepared " + (bytes >> 20) + " MiB to read"));
      try (Readers readers = new Readers(data, seed)) {
        readers.pace(Long.parseLong(args[2]));
        while (readers.corrupt() == 0) {
          TimeUnit.SECONDS.sleep(REPORT_SECONDS);
          System.out.printf(
              "blocks read %d, wrong %d, unreadable %d%n",
              readers.ok(), readers.corrupt(), readers.failed());
        }
      }
    }
    System.exit(1);
  }
}
