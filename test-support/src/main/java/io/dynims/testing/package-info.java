/** The real parts that integration tests run against. */
package io.dynims.testing;
