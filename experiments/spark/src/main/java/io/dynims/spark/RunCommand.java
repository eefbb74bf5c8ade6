package io.dynims.spark;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs one workload; prints a line of JSON when it starts, after each iteration, and at the end.
 */
@Command(
    name = "run",
    description = "Run a workload; Spark's own settings are Java system properties.")
final class RunCommand implements Callable<Integer> {

  /** Sequence files of batches, not split: each is one block of Alluxio. */
  public static final class BatchFormat
      extends SequenceFileInputFormat<NullWritable, BytesWritable> {

    /** For Hadoop. */
    public BatchFormat() {}

    @Override
    protected boolean isSplitable(JobContext context, Path file) {
      return false;
    }
  }

  @Option(names = "--workload", required = true, description = "${COMPLETION-CANDIDATES}.")
  private WorkloadType type;

  @Option(names = "--data", required = true, description = "The folder, such as alluxio://…/data.")
  private String data;

  @Option(names = "--iterations", required = true, description = "At least 1.")
  private int iterations;

  @Option(names = "--cache", description = "Keep in Spark's memory what fits of the data set.")
  private boolean cache;

  @Override
  public Integer call() throws Exception {
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf())) {
      JavaRDD<double[]> batches = batches(spark);
      print("{\"event\":\"started\",\"files\":%d}", batches.getNumPartitions());
      Workload workload = type.workload();
      double[] model = workload.initialModel();
      for (int iteration = 1; iteration <= iterations; iteration++) {
        long startMillis = System.currentTimeMillis();
        long startNanos = System.nanoTime();
        double[] sums = sums(batches, workload, model);
        model = workload.nextModel(model, sums, iteration);
        print(
            "{\"event\":\"iteration\",\"iteration\":%d,\"startMillis\":%d,\"millis\":%d,\"points\":%d,\"loss\":%s}",
            iteration,
            startMillis,
            (System.nanoTime() - startNanos) / 1_000_000,
            workload.points(sums),
            workload.loss(sums));
      }
      print("{\"event\":\"result\",\"digest\":\"%s\"}", digest(model));
    }
    return 0;
  }

  private JavaRDD<double[]> batches(JavaSparkContext spark) {
    JavaRDD<double[]> batches =
        spark
            .newAPIHadoopFile(
                data,
                BatchFormat.class,
                NullWritable.class,
                BytesWritable.class,
                spark.hadoopConfiguration())
            .map(record -> Points.decode(record._2()));
    return cache ? batches.persist(StorageLevel.MEMORY_ONLY()) : batches;
  }

  /** In the order of the partitions, because the sum of doubles depends on the order. */
  private static double[] sums(JavaRDD<double[]> batches, Workload workload, double[] model) {
    List<double[]> parts =
        batches
            .mapPartitions(
                (Iterator<double[]> part) -> List.of(workload.sums(model, part)).iterator())
            .collect();
    double[] sums = parts.get(0).clone();
    for (double[] part : parts.subList(1, parts.size())) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += part[i];
      }
    }
    return sums;
  }

  private static String digest(double[] model) throws Exception {
    ByteBuffer bytes = ByteBuffer.allocate(model.length * Double.BYTES);
    bytes.asDoubleBuffer().put(model);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
  }

  @SuppressWarnings("AnnotateFormatMethod") // private, and every caller is above
  private static void print(String format, Object... values) {
    System.out.println(String.format(java.util.Locale.ROOT, format, values));
  }
}
