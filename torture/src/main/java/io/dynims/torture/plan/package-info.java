/** A run as data: the fleet at the beginning, and what happens to it. */
package io.dynims.torture.plan;
