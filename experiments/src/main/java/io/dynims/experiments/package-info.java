/** The commands of the demo and the benchmarks. */
package io.dynims.experiments;
