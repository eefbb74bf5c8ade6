/** The streaming job: decodes the nodes' metrics, asks the law and emits targets. */
package io.dynims.flink;
