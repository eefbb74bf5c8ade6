/** The laws side by side: the same loads on the real stack under each of them. */
package io.dynims.experiments.bench.control;
