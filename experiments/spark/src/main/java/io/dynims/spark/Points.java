package io.dynims.spark;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.hadoop.io.BytesWritable;

/**
 * The layout of a data set: sequence files of batches; a batch is a number of rows, a row is a
 * label of 0 or 1 and the {@link #DIMENSIONS} features of a point, all as little-endian doubles.
 */
final class Points {

  /** Features of a point, as many as in the K-means of the benchmark suite HiBench. */
  static final int DIMENSIONS = 20;

  /** Doubles of a row. */
  static final int ROW = 1 + DIMENSIONS;

  /** Rows of a batch, which is then just below 64 KiB. */
  static final int BATCH_ROWS = 390;

  private Points() {}

  /** The rows of a batch, one after the other. */
  static double[] decode(BytesWritable batch) {
    double[] rows = new double[batch.getLength() / Double.BYTES];
    ByteBuffer.wrap(batch.getBytes(), 0, batch.getLength())
        .order(ByteOrder.LITTLE_ENDIAN)
        .asDoubleBuffer()
        .get(rows);
    return rows;
  }

  /** The batch with these rows. */
  static BytesWritable encode(double[] rows) {
    byte[] bytes = new byte[rows.length * Double.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().put(rows);
    return new BytesWritable(bytes);
  }
}
