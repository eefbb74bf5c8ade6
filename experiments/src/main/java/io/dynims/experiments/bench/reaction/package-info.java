/** The time from a sample, and from a touched page, until the tier has released memory. */
package io.dynims.experiments.bench.reaction;
