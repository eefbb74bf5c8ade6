/** Job hints: what the jobs of a node hold, and what they are about to take; free of any host. */
package io.dynims.core.hint;
