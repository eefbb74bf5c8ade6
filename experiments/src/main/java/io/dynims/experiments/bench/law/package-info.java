/** The cost of a decision and of a message. */
package io.dynims.experiments.bench.law;
