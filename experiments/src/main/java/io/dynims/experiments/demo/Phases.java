package io.dynims.experiments.demo;

/**
 * When what happened, epoch milliseconds; 0 for what did not.
 *
 * @param idleFrom the tier was full and reading stopped, to measure an idle machine
 * @param idleTo reading began again
 * @param risen the burst had all its memory
 * @param falling the burst began to give it back
 * @param fallen the burst had given back all of it
 * @param end the demo stopped
 */
record Phases(long idleFrom, long idleTo, long risen, long falling, long fallen, long end) {}
