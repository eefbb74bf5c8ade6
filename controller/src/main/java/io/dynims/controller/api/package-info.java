/** The REST API, the event streams, the metrics, and the web page. */
package io.dynims.controller.api;
