/** The loop of a node: what is known of it, when to decide, when to push; free of any host. */
package io.dynims.core.loop;
