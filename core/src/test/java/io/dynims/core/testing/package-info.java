/** What tests of all modules share. */
package io.dynims.core.testing;
