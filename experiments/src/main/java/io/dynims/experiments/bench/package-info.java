/** Benchmarks, and the reports of their results as JSON, as text, or as a page with plots. */
package io.dynims.experiments.bench;
