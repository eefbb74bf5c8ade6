/** The real parts that integration tests run against, as fixtures. */
package io.dynims.testing;
