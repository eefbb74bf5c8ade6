/** The cache under MPI-IO, through the control socket of its agent, behind the Tier API. */
package io.dynims.mpiio;
