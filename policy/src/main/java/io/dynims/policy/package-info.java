/** What {@code MemoryTier} documents say, checked; free of files, Kafka and Vert.x. */
package io.dynims.policy;
