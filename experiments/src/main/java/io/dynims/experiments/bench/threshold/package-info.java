/** How high each law's threshold may be for a node never to run out of memory. */
package io.dynims.experiments.bench.threshold;
