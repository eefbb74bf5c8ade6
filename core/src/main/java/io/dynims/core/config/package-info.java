/** One documented settings file per program, and quantities as people write them. */
package io.dynims.core.config;
