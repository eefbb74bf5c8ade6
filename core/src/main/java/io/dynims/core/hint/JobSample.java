package io.dynims.core.hint;

/**
 * What a sample of a node's memory tells of its jobs.
 *
 * @param bytes what all jobs hold, j = v − what the tiers hold; at least 0
 * @param tiersBytes what the node's tiers hold
 * @param exact whether that was measured with the sample; otherwise it comes from earlier acks
 * @param totalBytes the node's memory
 * @param sampledMillis when the memory was sampled, by the node's clock
 */
public record JobSample(
    long bytes, long tiersBytes, boolean exact, long totalBytes, long sampledMillis) {}
