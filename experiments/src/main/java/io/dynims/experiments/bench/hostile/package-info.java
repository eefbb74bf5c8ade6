/** What hostile clients do to a running loop. */
package io.dynims.experiments.bench.hostile;
