/** The whole loop as processes on one machine: what they are, how they start, and how they end. */
package io.dynims.cli.stack;
