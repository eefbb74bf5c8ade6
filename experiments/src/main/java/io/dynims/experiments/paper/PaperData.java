package io.dynims.experiments.paper;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** The data sets, one for each size: folders of files, each one block of Alluxio. */
final class PaperData {

  /** The size of a block, and of a file at most. */
  static final long FILE_BYTES = 16L << 20;

  private static final String SEED = "1";

  private final Path folder;
  private final Path jobs;

  /**
   * The data sets below a folder.
   *
   * @param jobs the build folder of the Spark jobs, which generate the files
   */
  PaperData(Path folder, Path jobs) {
    this.folder = folder;
    this.jobs = jobs;
  }

  /** The folder of the data set of this size, which is made if it is missing. */
  Path ensure(long bytes) throws Exception {
    int files = (int) (bytes / FILE_BYTES);
    Path pool = folder.resolve("pool-" + files);
    if (!Files.exists(pool.resolve("complete"))) {
      generate(pool, files);
    }
    return pool.resolve("data");
  }

  private void generate(Path pool, int files) throws Exception {
    Path data = Files.createDirectories(pool.resolve("data"));
    Path log = folder.resolve("generate.log");
    try (SparkProcess generator =
        SparkProcess.start(
            jobs,
            List.of("-Xmx256m"),
            List.of(
                "generate",
                "--folder",
                data.toString(),
                "--files",
                Integer.toString(files),
                "--file-bytes",
                Long.toString(FILE_BYTES),
                "--seed",
                SEED),
            UnaryOperator.identity(),
            log)) {
      generator.await(line -> {});
    }
    Files.createFile(pool.resolve("complete"));
  }
}
