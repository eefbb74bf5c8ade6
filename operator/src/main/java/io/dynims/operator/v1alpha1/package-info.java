/** The Java types from which the {@code MemoryTier} resource definition is generated. */
package io.dynims.operator.v1alpha1;
