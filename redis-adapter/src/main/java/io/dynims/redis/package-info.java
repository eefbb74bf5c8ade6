/** A Redis or Valkey server behind the Tier API. */
package io.dynims.redis;
