/** The parts of the whole loop, real where they decide, in one thread and virtual time. */
package io.dynims.torture.world;
