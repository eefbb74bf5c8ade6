/** How the tiers of a node share one step of the law. */
package io.dynims.core.share;
