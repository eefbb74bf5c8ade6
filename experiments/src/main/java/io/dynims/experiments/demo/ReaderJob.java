package io.dynims.experiments.demo;

import java.util.concurrent.TimeUnit;

/**
 * A job that reads files of its own from Alluxio, at random and all the time, and checks every
 * byte. Finds Alluxio by Alluxio's own configuration. It ends with 1 when it has read a wrong byte.
 */
public final class ReaderJob {

  private static final long REPORT_SECONDS = 5;

  private ReaderJob() {}

  /** Arguments: seed of the files' content, bytes in them, bytes to read a second. */
  public static void main(String[] args) throws Exception {
    if (args.length != 3) {
      System.err.println("usage: ReaderJob SEED BYTES BYTES_PER_SECOND");
      System.exit(2);
    }
    long seed = Long.parseLong(args[0]);
    try (AlluxioFiles alluxio = new AlluxioFiles()) {
      DataSet data = new DataSet(alluxio.files(), seed, Long.parseLong(args[1]));
      data.ensure(bytes -> System.out.println("there are " + (bytes >> 20) + " MiB to read"));
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
