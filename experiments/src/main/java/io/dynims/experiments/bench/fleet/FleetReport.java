package io.dynims.experiments.bench.fleet;

import io.dynims.experiments.bench.Percentiles;
import java.util.Map;

/**
 * What a fleet of this size cost and how fast it was.
 *
 * @param nodes simulated
 * @param sampleConnections on which their samples come to the broker
 * @param intervalMillis between two samples of a node
 * @param seconds for which it was measured
 * @param sampleToInForceMillis from the sample to the adapter's word of the capacity that followed
 * @param sampleToAckMillis from the sample to the ack, as a reader of the topic gets it
 * @param samples that were taken
 * @param missedTicks samples that no ack followed
 * @param messagesPerSecond in the topics of metrics, targets and acks together
 * @param cpuCores of each program, and of the whole machine
 * @param cpuCoresPerNode of broker, job and controller together
 * @param rssBytes of each program
 * @param generatorLateMillisP99 how much later than planned samples were taken: where this is not
 *     small, the generator is the limit
 */
record FleetReport(
    int nodes,
    int sampleConnections,
    long intervalMillis,
    double seconds,
    Percentiles sampleToInForceMillis,
    Percentiles sampleToAckMillis,
    long samples,
    long missedTicks,
    double messagesPerSecond,
    Map<String, Double> cpuCores,
    double cpuCoresPerNode,
    Map<String, Long> rssBytes,
    double generatorLateMillisP99) {}
