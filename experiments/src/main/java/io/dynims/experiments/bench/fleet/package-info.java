/** Fleets of simulated nodes with a real broker, job and controller. */
package io.dynims.experiments.bench.fleet;
