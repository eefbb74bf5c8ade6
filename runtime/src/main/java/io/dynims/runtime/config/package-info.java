/** One documented settings file per program, and how a program starts. */
package io.dynims.runtime.config;
