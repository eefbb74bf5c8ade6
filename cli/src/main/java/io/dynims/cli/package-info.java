/** The command line: the local stack, tiers, explain, simulate and trace. */
package io.dynims.cli;
