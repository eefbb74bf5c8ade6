/** The guard of a node: what protects it while no controller does; free of any host. */
package io.dynims.core.guard;
