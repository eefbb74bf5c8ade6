/** The demo: a data set that is read through the tier while a memory burst comes and goes. */
package io.dynims.experiments.demo;
