package io.dynims.tier;

class InMemoryTierStoreTest extends TierContract {

  private final InMemoryTierStore store = new InMemoryTierStore("memory", 1 << 20, 64 << 20);

  @Override
  protected TierStore store() {
    return store;
  }

  @Override
  protected void fill() {
    store.write(64 << 20);
  }
}
