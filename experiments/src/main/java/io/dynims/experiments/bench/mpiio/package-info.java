/** Measures the cache under MPI-IO against MPI-IO without it. */
package io.dynims.experiments.bench.mpiio;
