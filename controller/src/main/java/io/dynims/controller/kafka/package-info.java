/** The controller's side of the Kafka topics; every class copes with a Kafka that is away. */
package io.dynims.controller.kafka;
