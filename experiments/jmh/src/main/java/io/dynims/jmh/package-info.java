/** The cost of a decision and of a message, in nanoseconds and bytes. */
package io.dynims.jmh;
