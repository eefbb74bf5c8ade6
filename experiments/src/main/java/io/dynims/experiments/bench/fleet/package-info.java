/** A fleet of simulated nodes around the real broker, job and controller. */
package io.dynims.experiments.bench.fleet;
