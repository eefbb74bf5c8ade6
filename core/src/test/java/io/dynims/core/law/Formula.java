package io.dynims.core.law;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Definitions over real inputs that can be given to a solver, in SMT-LIB 2, and computed. So what
 * is proved and what is compared with a class are the same text.
 */
final class Formula {

  private static final String PRELUDE =
      """
      (define-fun lesser ((a Real) (b Real)) Real (ite (< a b) a b))
      (define-fun greater ((a Real) (b Real)) Real (ite (< a b) b a))
      """;

  private final Set<String> inputs = new LinkedHashSet<>();
  private final Map<String, Term> definitions = new LinkedHashMap<>();
  private final List<Condition> assumptions = new ArrayList<>();

  /** A number. */
  record Term(String smt, ToDoubleFunction<Map<String, Double>> of) {

    static Term of(int constant) {
      return new Term(constant + ".0", values -> constant);
    }

    Term plus(Term other) {
      return new Term(
          call("+", other), values -> of.applyAsDouble(values) + other.of.applyAsDouble(values));
    }

    Term minus(Term other) {
      return new Term(
          call("-", other), values -> of.applyAsDouble(values) - other.of.applyAsDouble(values));
    }

    Term times(Term other) {
      return new Term(
          call("*", other), values -> of.applyAsDouble(values) * other.of.applyAsDouble(values));
    }

    Term min(Term other) {
      return new Term(
          call("lesser", other),
          values -> Math.min(of.applyAsDouble(values), other.of.applyAsDouble(values)));
    }

    Term max(Term other) {
      return new Term(
          call("greater", other),
          values -> Math.max(of.applyAsDouble(values), other.of.applyAsDouble(values)));
    }

    Condition isAbove(Term other) {
      return new Condition(
          call(">", other), values -> of.applyAsDouble(values) > other.of.applyAsDouble(values));
    }

    Condition isAtMost(Term other) {
      return isAbove(other).not();
    }

    /** For flags, which are above 0 where they are set. */
    Condition isSet() {
      return isAbove(of(0));
    }

    private String call(String function, Term other) {
      return "(" + function + " " + smt + " " + other.smt + ")";
    }
  }

  /** What holds or does not. */
  record Condition(String smt, Predicate<Map<String, Double>> of) {

    Condition not() {
      return new Condition("(not " + smt + ")", of.negate());
    }

    Condition and(Condition other) {
      return new Condition("(and " + smt + " " + other.smt + ")", of.and(other.of));
    }

    Condition or(Condition other) {
      return new Condition("(or " + smt + " " + other.smt + ")", of.or(other.of));
    }

    Term choose(Term yes, Term no) {
      return new Term(
          "(ite " + smt + " " + yes.smt + " " + no.smt + ")",
          values -> (of.test(values) ? yes : no).of.applyAsDouble(values));
    }
  }

  /** Any real number that is at least 0. */
  Term amount(String name) {
    inputs.add(name);
    Term amount = named(name);
    assume(Term.of(0).isAtMost(amount));
    return amount;
  }

  Term define(String name, Term term) {
    definitions.put(name, term);
    return named(name);
  }

  void assume(Condition condition) {
    assumptions.add(condition);
  }

  private static Term named(String name) {
    return new Term(name, values -> values.get(name));
  }

  /** Computes all definitions. */
  Map<String, Double> values(Map<String, Double> given) {
    Map<String, Double> values = new LinkedHashMap<>(given);
    definitions.forEach((name, term) -> values.put(name, term.of().applyAsDouble(values)));
    return values;
  }

  /** Asks for inputs that break a claim. */
  String smt(Condition claim) {
    StringBuilder text = new StringBuilder(PRELUDE);
    inputs.forEach(name -> text.append("(declare-const %s Real)%n".formatted(name)));
    definitions.forEach(
        (name, term) -> text.append("(define-fun %s () Real %s)%n".formatted(name, term.smt())));
    assumptions.forEach(each -> text.append("(assert %s)%n".formatted(each.smt())));
    text.append("(assert %s)%n(check-sat)%n".formatted(claim.not().smt()));
    return text.toString();
  }
}
