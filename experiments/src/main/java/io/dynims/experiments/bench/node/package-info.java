/** The cost of DynIMS on a node at rest. */
package io.dynims.experiments.bench.node;
