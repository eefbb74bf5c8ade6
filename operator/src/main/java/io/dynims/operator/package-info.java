/** The Kubernetes operator: reads MemoryTiers, nodes and agents; writes status and events. */
package io.dynims.operator;
