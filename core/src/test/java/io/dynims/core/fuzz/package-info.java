/** What fuzz tests share. */
package io.dynims.core.fuzz;
