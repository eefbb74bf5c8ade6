/** The operator: MemoryTiers, nodes and agents of a cluster in, policies, status and events out. */
package io.dynims.operator;
