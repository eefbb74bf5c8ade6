/** The control law: pure functions from a node's memory to its tier's next capacity. */
package io.dynims.core.law;
