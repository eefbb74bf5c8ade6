/** {@code MemoryTier} documents: model, reader and resolution to a policy for each node. */
package io.dynims.policy;
