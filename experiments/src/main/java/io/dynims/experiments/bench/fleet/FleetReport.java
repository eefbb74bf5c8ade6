package io.dynims.experiments.bench.fleet;

import io.dynims.experiments.bench.Percentiles;
import java.util.Map;

/**
 * The cost and latency of a fleet.
 *
 * @param nodes the number of simulated nodes
 * @param sampleConnections the number of connections that carry samples to the broker
 * @param movingRatio the share of the nodes that move at a time; null if all do
 * @param trace the trace that every node repeats; null if there is none
 * @param byException whether the nodes report by exception; otherwise they send every sample
 * @param intervalMillis the time between two samples of a node
 * @param servedSeconds the cold start: from when all programs were ready and all nodes began to
 *     send until each node had an ack
 * @param servedInTimeSeconds from then until each node had an ack within 100 ms of its sample; null
 *     if that had not happened when the measurement ended
 * @param seconds the duration of the measurement
 * @param sampleToInForceMillis from the sample until the adapter received the resulting capacity
 * @param sampleToAckMillis from the sample until a consumer of the topic received the ack
 * @param samples the number of samples that were sent
 * @param missedTicks the number of samples without an ack
 * @param messagesPerSecond the rate in the topics of metrics, targets and acks together
 * @param cpuCores the cores used by each program and by the whole machine
 * @param cpuCoresPerNode the cores used by broker, job and controller, per node
 * @param rssBytes the resident memory of each program
 * @param generatorLateMillisP99 how late samples were taken; if this is not small, the generator is
 *     the bottleneck
 */
record FleetReport(
    int nodes,
    int sampleConnections,
    Double movingRatio,
    String trace,
    boolean byException,
    long intervalMillis,
    double servedSeconds,
    Double servedInTimeSeconds,
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
