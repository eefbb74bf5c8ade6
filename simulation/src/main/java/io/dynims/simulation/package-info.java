/** Runs the loop and the gate on a trace of a node's memory, with a simulated tier. */
package io.dynims.simulation;
