/** Tests of the Helm chart, on what Helm renders and says. */
package io.dynims.charts;
