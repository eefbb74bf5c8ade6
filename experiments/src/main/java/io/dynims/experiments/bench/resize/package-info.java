/** How fast the adapter frees memory on a real Alluxio worker, and what readers notice of it. */
package io.dynims.experiments.bench.resize;
