/** What a decision and a message cost. */
package io.dynims.experiments.bench.law;
