package io.dynims.experiments.demo;

/** With a real memcached. */
class MemcachedStackIT extends StoreStackContract {

  MemcachedStackIT() {
    super("memcached", "memcached", ValueProtocol.Memcached);
  }
}
