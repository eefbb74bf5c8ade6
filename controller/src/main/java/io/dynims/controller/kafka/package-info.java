/** The controller's Kafka producers and consumers; all of them tolerate an outage of Kafka. */
package io.dynims.controller.kafka;
