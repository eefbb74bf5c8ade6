/** The experiments of the DynIMS paper: real Spark jobs beside HPCC's memory, on a real tier. */
package io.dynims.experiments.paper;
