/** The Java types from which the {@code MemoryTier} resource definition is generated. */
package io.dynims.controller.kubernetes.v1alpha1;
