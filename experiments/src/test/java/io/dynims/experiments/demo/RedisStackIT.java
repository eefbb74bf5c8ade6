package io.dynims.experiments.demo;

import org.junit.jupiter.api.Tag;

/** With a real Redis. */
@Tag("long")
class RedisStackIT extends StoreStackContract {

  RedisStackIT() {
    super("redis", "redis-server", ValueProtocol.Redis);
  }
}
