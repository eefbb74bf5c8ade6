/** How long it takes from a sample, and from a page touched, to memory that the tier gave up. */
package io.dynims.experiments.bench.reaction;
