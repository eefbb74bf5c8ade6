/**
 * Benchmarks: what each measures, and how it is told, as JSON, as text, or as a page with plots.
 */
package io.dynims.experiments.bench;
