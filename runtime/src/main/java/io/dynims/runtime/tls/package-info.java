/** Certificates and keys that programs read from PEM files. */
package io.dynims.runtime.tls;
