/** A node's memory, as the kernel's files report it. */
package io.dynims.core.node;
