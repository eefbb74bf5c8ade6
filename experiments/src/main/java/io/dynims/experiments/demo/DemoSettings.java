package io.dynims.experiments.demo;

import io.dynims.tier.TierClient;
import java.nio.file.Path;
import java.util.Map;

/**
 * The addresses of the running stack and the load to put on it.
 *
 * @param node the node's name
 * @param machine the node itself
 * @param adapter the node's adapter
 * @param kafka what a Kafka client needs
 * @param load what is read through the tier
 * @param policyFile the MemoryTier document that the controller reads; the demo sets its
 *     memory.total
 * @param reportFile where to write the report, as JSON
 * @param tierMaxBytes Umax, the store's configured size
 * @param threshold r0
 * @param seed the seed of the load and of the order in which it is read
 */
public record DemoSettings(
    String node,
    DemoNode machine,
    TierClient adapter,
    Map<String, Object> kafka,
    TierLoad load,
    Path policyFile,
    Path reportFile,
    long tierMaxBytes,
    double threshold,
    long seed) {}
