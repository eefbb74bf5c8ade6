/**
 * The rate at which the adapter frees memory of a real Alluxio worker, and its effect on readers.
 */
package io.dynims.experiments.bench.resize;
