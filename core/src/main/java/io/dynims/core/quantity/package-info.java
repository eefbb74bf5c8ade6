/** Amounts of memory and time as people write them. */
package io.dynims.core.quantity;
