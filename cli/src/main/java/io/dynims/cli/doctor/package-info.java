/** Finds what is wrong with a node, its tier and the services around it, and how to mend it. */
package io.dynims.cli.doctor;
