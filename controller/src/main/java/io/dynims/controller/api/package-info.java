/** The REST API, the event stream, the metrics and the page. */
package io.dynims.controller.api;
