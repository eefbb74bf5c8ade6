/** Runs the whole loop with faults from seeds, and finds runs in which a rule does not hold. */
package io.dynims.torture;
