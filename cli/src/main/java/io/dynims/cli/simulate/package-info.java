/** Tries a policy on a trace of a node's memory: the real law, a simulated tier. */
package io.dynims.cli.simulate;
