/** What DynIMS takes from a node that is at rest. */
package io.dynims.experiments.bench.node;
