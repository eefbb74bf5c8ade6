/** The job's decoding of samples, in its package because the decoder is package-private. */
package io.dynims.flink;
