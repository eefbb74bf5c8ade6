/** The loop of a node: what is known of it, and when to decide; free of any host. */
package io.dynims.core.loop;
