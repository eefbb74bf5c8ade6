/** What a decision and a message cost, in nanoseconds and bytes. */
package io.dynims.jmh;
