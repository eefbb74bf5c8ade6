/** How fast the tier is, by each interface to it, at rest and while it is resized. */
package io.dynims.experiments.bench.tier;
