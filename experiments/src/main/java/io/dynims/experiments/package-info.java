/** Programs that run DynIMS on one machine: the local stack, workloads, benchmarks. */
package io.dynims.experiments;
