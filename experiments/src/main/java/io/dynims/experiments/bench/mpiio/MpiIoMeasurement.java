package io.dynims.experiments.bench.mpiio;

/**
 * The median run of a program.
 *
 * @param name the program with its parameters
 */
record MpiIoMeasurement(String name, MpiIoSetup setup, MpiIoRun run) {}
