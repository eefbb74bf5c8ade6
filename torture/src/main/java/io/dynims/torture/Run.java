package io.dynims.torture;

import io.dynims.torture.plan.Plan;
import io.dynims.torture.rules.Rules;
import io.dynims.torture.rules.Violation;
import io.dynims.torture.world.Happening;
import io.dynims.torture.world.World;
import java.util.Map;
import java.util.function.Consumer;
import java.util.logging.LogManager;

/**
 * What a run of a plan came to.
 *
 * @param violations the first of each rule, by its name
 * @param marks how often each thing was reached
 */
record Run(Plan plan, Map<String, Violation> violations, Map<String, Integer> marks) {

  static {
    // The guards of a million runs would log each brake.
    LogManager.getLogManager().reset();
    System.setProperty(
        "log4j2.loggerContextFactory",
        "org.apache.logging.log4j.simple.SimpleLoggerContextFactory");
    System.setProperty("org.apache.logging.log4j.simplelog.level", "OFF");
  }

  /** Runs a plan without a trace. */
  static Run of(Plan plan) {
    return of(plan, null);
  }

  /**
   * Runs a plan.
   *
   * @param trace takes a line for each event; null for none
   */
  static Run of(Plan plan, Consumer<String> trace) {
    Rules[] rules = new Rules[1];
    World world =
        new World(
            plan,
            trace,
            made -> {
              rules[0] = new Rules(made);
              return rules[0];
            });
    new Happening(world).schedule();
    rules[0].start();
    world.start();
    world.time().runUntil(plan.durationMillis());
    return new Run(plan, rules[0].violations(), rules[0].marks());
  }
}
