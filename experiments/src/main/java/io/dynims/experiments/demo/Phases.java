package io.dynims.experiments.demo;

/**
 * The times of the phases, epoch milliseconds; 0 if a phase did not happen.
 *
 * @param idleFrom the tier was full, reads were throttled and only a small job ran
 * @param idleTo reads were resumed
 * @param risen the burst reached its peak
 * @param falling the burst started to release memory
 * @param fallen the burst had released all memory
 * @param end the end of the demo
 */
record Phases(long idleFrom, long idleTo, long risen, long falling, long fallen, long end) {}
