package io.dynims.spark;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.compress.DefaultCodec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Writes a data set into a local folder: points around a few centers. The same seed, the same
 * bytes.
 */
@Command(name = "generate", description = "Write a data set into a local folder.")
final class DataSetWriter implements Callable<Integer> {

  /** What a sequence file adds to a batch at most: lengths, and its part of the sync markers. */
  private static final int BATCH_OVERHEAD = 64;

  private static final int CENTERS = 10;

  @Option(names = "--folder", required = true, description = "An existing folder.")
  private String folder;

  @Option(names = "--files", required = true, description = "Number of files.")
  private int files;

  @Option(
      names = "--file-bytes",
      required = true,
      description = "A file is just smaller than this.")
  private long fileBytes;

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Override
  public Integer call() {
    double[] centers =
        new SplittableRandom(seed).doubles((long) CENTERS * Points.DIMENSIONS, -1, 1).toArray();
    IntStream.range(0, files).parallel().forEach(file -> write(file, centers));
    return 0;
  }

  private void write(int file, double[] centers) {
    Configuration conf = new Configuration(false);
    conf.setClass("fs.file.impl", RawLocalFileSystem.class, RawLocalFileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + file);
    long batches =
        fileBytes / ((long) Points.BATCH_ROWS * Points.ROW * Double.BYTES + BATCH_OVERHEAD);
    Path path = new Path("file://" + folder + "/" + String.format("part-%05d", file));
    try (SequenceFile.Writer writer =
        SequenceFile.createWriter(
            conf,
            SequenceFile.Writer.file(path),
            SequenceFile.Writer.keyClass(NullWritable.class),
            SequenceFile.Writer.valueClass(org.apache.hadoop.io.BytesWritable.class),
            SequenceFile.Writer.compression(
                SequenceFile.CompressionType.NONE, new DefaultCodec()))) {
      for (long batch = 0; batch < batches; batch++) {
        writer.append(NullWritable.get(), Points.encode(rows(random, centers)));
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static double[] rows(SplittableRandom random, double[] centers) {
    double[] rows = new double[Points.BATCH_ROWS * Points.ROW];
    for (int row = 0; row < rows.length; row += Points.ROW) {
      int center = random.nextInt(CENTERS);
      rows[row] = center % 2;
      for (int i = 0; i < Points.DIMENSIONS; i++) {
        // The sum of two uniform numbers: near enough to a bell, and fast.
        double noise = random.nextDouble() + random.nextDouble() - 1;
        rows[row + 1 + i] = centers[center * Points.DIMENSIONS + i] + noise;
      }
    }
    return rows;
  }
}
