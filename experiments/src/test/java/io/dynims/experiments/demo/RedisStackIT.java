package io.dynims.experiments.demo;

/** With a real Redis. */
class RedisStackIT extends StoreStackContract {

  RedisStackIT() {
    super("redis", "redis-server", ValueProtocol.Redis);
  }
}
