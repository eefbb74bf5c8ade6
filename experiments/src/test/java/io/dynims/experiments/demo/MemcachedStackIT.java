package io.dynims.experiments.demo;

import org.junit.jupiter.api.Tag;

/** With a real memcached. */
@Tag("long")
class MemcachedStackIT extends StoreStackContract {

  MemcachedStackIT() {
    super("memcached", "memcached", ValueProtocol.Memcached);
  }
}
