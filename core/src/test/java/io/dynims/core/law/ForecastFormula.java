package io.dynims.core.law;

import io.dynims.core.law.Formula.Condition;
import io.dynims.core.law.Formula.Term;
import java.util.HashMap;
import java.util.Map;

/**
 * One decision of {@link ForecastLaw} as clamped linear arithmetic. What it estimates from earlier
 * samples (the rise, the noise, the reserve) may be any amount, and so may the part of the room
 * that it grows by.
 */
final class ForecastFormula {

  final Term capacity;
  final Term desired;
  final Term used;
  final Term least;
  final Term mostUsed;
  final Term allTiers;
  final Term allLeast;
  final Term allMost;
  final Term memory;
  final Term hinted;
  final Term setPoint;
  final Term band;
  final Term rise;
  final Term reserve;
  final Term floor;
  final Term max;
  final Term headStart;
  final Term held;
  final Term mayGrow;

  /** Whether maxShrink is not less than what the step takes. */
  final Condition isWhole;

  /** The capacity before it is rounded to a byte. */
  final Term next;

  private final Formula formula;
  private final String suffix;
  private final Map<String, Term> given;

  /**
   * Adds a decision to a formula.
   *
   * @param suffix of its names
   * @param given inputs that are known; all others may be any amount
   */
  ForecastFormula(Formula formula, String suffix, Map<String, Term> given) {
    this.formula = formula;
    this.suffix = suffix;
    this.given = new HashMap<>(given);
    capacity = amount("capacity");
    desired = amount("desired");
    used = amount("used");
    least = amount("least");
    mostUsed = amount("mostUsed");
    allTiers = amount("allTiers");
    allLeast = amount("allLeast");
    allMost = amount("allMost");
    memory = amount("memory");
    hinted = amount("hinted");
    setPoint = amount("setPoint");
    band = amount("band");
    rise = amount("rise");
    reserve = amount("reserve");
    floor = amount("floor");
    max = amount("max");
    Term known = amount("known");
    Term heldBefore = amount("heldBefore");
    Term old = amount("old");
    Term pressed = amount("pressed");
    Term settled = amount("settled");
    Term leastRoom = amount("leastRoom");
    Term growth = amount("growth");
    Term noise = amount("noise");
    headStart = amount("headStart");
    Term maxShrink = amount("maxShrink");
    formula.assume(least.isAtMost(used));
    formula.assume(used.isAtMost(mostUsed));
    formula.assume(allLeast.isAtMost(allTiers));
    formula.assume(allTiers.isAtMost(allMost));
    formula.assume(floor.isAtMost(max));

    Term zero = Term.of(0);
    Term atLeast = define("atLeast", memory.minus(allMost).max(zero));
    Term atMost = define("atMost", memory.minus(allLeast).max(zero));
    held = define("held", known.isSet().choose(heldBefore.min(atMost).max(atLeast), atMost));
    Term filled = memory.minus(held).minus(mostUsed);
    Term others =
        define("others", allTiers.minus(used).max(filled).min(memory.minus(used)).max(zero));
    Term ahead = define("ahead", held.plus(hinted).plus(rise));
    Term free = setPoint.minus(others);
    Term edge = define("edge", free.plus(band).minus(ahead));
    Term full = free.minus(held).minus(hinted).min(edge);
    Term safe = define("safe", full.minus(reserve));
    Term most = define("most", edge.minus(reserve));
    mayGrow =
        define(
            "mayGrow",
            setPoint
                .isAbove(memory.plus(hinted))
                .and(pressed.isSet().not())
                .choose(Term.of(1), zero));
    Term base =
        define(
            "base",
            old.isSet()
                .choose(
                    desired,
                    desired.max(
                        least.min(
                            mayGrow.isSet().choose(safe, safe.minus(Term.of(2).times(noise)))))));
    Term room = define("room", least.plus(headStart).min(safe));
    Term gap = define("gap", room.minus(base));
    Term kept = define("kept", room.plus(band.min(Term.of(2).times(noise))).min(most));
    Term mostGrowth = define("mostGrowth", leastRoom.min(room).minus(base).max(zero));
    formula.assume(growth.isAtMost(mostGrowth));
    Condition shrinks = base.isAbove(most).or(zero.minus(band).isAbove(gap));
    Condition hasRoom = gap.plus(gap).isAbove(band.plus(band).plus(noise));
    Term step =
        define(
            "step",
            shrinks.choose(
                base.minus(kept).min(maxShrink),
                hasRoom
                    .and(mayGrow.isSet())
                    .and(settled.isSet())
                    .choose(zero.minus(growth), zero)));
    Term taken = capacity.minus(base).plus(step);
    Term beyond = zero.minus(least.minus(capacity).max(zero));
    Term wanted =
        define("wanted", capacity.minus(mayGrow.isSet().choose(taken, taken.max(beyond))));
    isWhole = base.minus(kept).isAtMost(maxShrink);
    next = define("next", wanted.max(floor).min(max));
  }

  private Term amount(String name) {
    return given.containsKey(name) ? given.get(name) : formula.amount(name + suffix);
  }

  private Term define(String name, Term term) {
    return formula.define(name + suffix, term);
  }
}
