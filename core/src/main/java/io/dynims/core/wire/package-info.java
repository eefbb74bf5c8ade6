/** The records that travel through Kafka and their one JSON codec. */
package io.dynims.core.wire;
