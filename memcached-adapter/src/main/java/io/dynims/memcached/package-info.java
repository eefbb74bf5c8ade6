/** A memcached server behind the Tier API. */
package io.dynims.memcached;
