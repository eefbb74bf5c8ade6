/** Runs the tests of the cache under MPI-IO. */
package io.dynims.mpiio.cache;
