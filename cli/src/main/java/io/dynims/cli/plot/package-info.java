/** Line charts as SVG, readable on light and on dark pages. */
package io.dynims.cli.plot;
