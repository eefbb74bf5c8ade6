/** Certificates for programs of one machine. */
package io.dynims.authority;
