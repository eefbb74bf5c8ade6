package io.dynims.experiments.bench.mpiio;

import java.util.Set;

/**
 * The median run of a program.
 *
 * @param name the program with its parameters
 * @param checksums of what was read, of all runs
 */
record MpiIoMeasurement(String name, MpiIoSetup setup, MpiIoRun run, Set<String> checksums) {}
