package io.dynims.experiments.demo;

import java.net.URI;
import java.nio.file.Path;

/**
 * The addresses of the running stack and the load to put on it.
 *
 * @param node the node's name
 * @param adapter the base address of the node's adapter
 * @param bootstrapServers the addresses of Kafka
 * @param alluxioHost the Alluxio master's host
 * @param alluxioPort its RPC port
 * @param policyFile the MemoryTier document that the controller reads; the demo sets its
 *     memory.total
 * @param reportFile where to write the report, as JSON
 * @param tierMaxBytes Umax, the configured size of the Alluxio worker's tier
 * @param threshold r0
 * @param seed the seed of the data set and of the order in which it is read
 */
public record DemoSettings(
    String node,
    URI adapter,
    String bootstrapServers,
    String alluxioHost,
    int alluxioPort,
    Path policyFile,
    Path reportFile,
    long tierMaxBytes,
    double threshold,
    long seed) {}
