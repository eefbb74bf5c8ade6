/** The command line of the local stack. */
package io.dynims.experiments;
