/** What Flink's own reporter for Prometheus lacks. */
package org.apache.flink.metrics.prometheus;
