package io.dynims.experiments.paper;

import io.dynims.experiments.demo.LoadProfile;

/**
 * The load that plays HPCC.
 *
 * @param name in the ids of runs
 * @param profile its memory over time
 * @param afterIteration it starts when the data job has ended this iteration
 */
public record HpccLoad(String name, LoadProfile profile, int afterIteration) {}
