/** Bearer tokens that programs read from files. */
package io.dynims.runtime.auth;
