/** The demo: reads a data set through the tier during a memory burst. */
package io.dynims.experiments.demo;
