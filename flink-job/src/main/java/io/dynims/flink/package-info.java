/** The streaming job: decodes the nodes' metrics, hosts the loop of each node and emits targets. */
package io.dynims.flink;
