/** Iterative Spark jobs over a data set in Alluxio, and the data set. */
package io.dynims.spark;
