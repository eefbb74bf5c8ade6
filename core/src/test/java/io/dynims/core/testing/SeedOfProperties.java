package io.dynims.core.testing;

import net.jqwik.api.FixedSeedMode;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/** Gives every property of jqwik the seed of {@code -Ddynims.seed}; jqwik finds it as a service. */
public final class SeedOfProperties implements AroundPropertyHook {

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    String seed = System.getProperty(Seeds.PROPERTY);
    if (seed != null) {
      context.attributes().setSeed(seed);
      context.attributes().setWhenFixedSeed(FixedSeedMode.ALLOW);
    }
    return property.execute();
  }
}
