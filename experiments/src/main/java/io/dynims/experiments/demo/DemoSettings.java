package io.dynims.experiments.demo;

import java.net.URI;
import java.nio.file.Path;

/**
 * Where the demo finds the running stack, and how it loads it.
 *
 * @param node the node's name
 * @param adapter the base address of the node's adapter
 * @param bootstrapServers Kafka's
 * @param alluxioHost the Alluxio master's host
 * @param alluxioPort its RPC port
 * @param policyFile the MemoryTier document that the controller reads; the demo sets memory.total
 *     in it
 * @param reportFile where the report goes, as JSON
 * @param tierMaxBytes Umax, what the Alluxio worker's tier is configured to
 * @param threshold r0
 * @param seed of the data set and of the order in which it is read
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
