package io.dynims.torture;

import io.dynims.core.wire.Mode;
import io.dynims.torture.plan.Event;
import io.dynims.torture.plan.Event.Kill;
import io.dynims.torture.plan.Event.Link;
import io.dynims.torture.plan.Event.LinkFault;
import io.dynims.torture.plan.Event.Part;
import io.dynims.torture.plan.Event.Saved;
import io.dynims.torture.plan.NodeSetup;
import io.dynims.torture.plan.Plan;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What is known to fail. A run is of the first kind whose signs its cut plan has;
 * docs/simulation.md explains the kinds of the known seeds by one run each.
 */
enum Kind {
  /** A guard has no policy, or an earlier one, while nobody decides. */
  UnguardedPolicy,
  /** What a tier holds is known from before v, so that the jobs seem to hold less than they do. */
  OldUse,
  /** The guards of a node's tiers together take more than is too much. */
  EachGuard,
  /** Several tiers evict too much together, by no other kind. */
  SeveralTiers,
  /** What is unanswered is in force when it is no longer needed. */
  LateAnswer,
  /** A figure that is not true counts as noise of the jobs for long after the next true one. */
  FalseFigure,
  /** Nobody has looked yet. */
  Unexplained;

  /** The kind of a run that was cut. */
  static Kind of(String rule, Plan cut) {
    boolean several = anyNode(cut, node -> node.tiers().size() > 1);
    boolean measured = anyNode(cut, NodeSetup::measured);
    if (rule.equals("memory")) {
      if (anyEvent(cut, event -> changesTo(event, Mode.Enforce) || losesItsPolicy(event))
          && anyEvent(cut, Kind::stopsDecisions)) {
        return UnguardedPolicy;
      }
      // A reader measures one tier at most.
      return measured && !several ? Unexplained : OldUse;
    }
    if (anyEvent(cut, Event::isLie)) {
      return FalseFigure;
    }
    if (several && isCured(rule, cut, NodeSetup::withoutBrakes)) {
      return EachGuard;
    }
    if (anyEvent(cut, Kind::delaysAnswers)
        || isCured(rule, cut, NodeSetup::withStoresThatFreeAtOnce)) {
      return LateAnswer;
    }
    if (isCured(rule, cut, NodeSetup::withAMeasuredTier)) {
      return OldUse;
    }
    return rule.equals("eviction") && several ? SeveralTiers : Unexplained;
  }

  /** Whether it does not happen with nodes that differ in one thing. */
  private static boolean isCured(String rule, Plan plan, UnaryOperator<NodeSetup> change) {
    Plan changed = plan.withNodes(plan.nodes().stream().map(change).toList());
    return !Run.of(changed).violations().containsKey(rule);
  }

  private static boolean changesTo(Event event, Mode mode) {
    return event instanceof Event.PolicyChange change && change.mode() == mode;
  }

  private static boolean losesItsPolicy(Event event) {
    boolean killed =
        event instanceof Kill kill && kill.part() == Part.Adapter && kill.saved() != Saved.All;
    return killed || event instanceof Event.Withdrawal;
  }

  private static boolean stopsDecisions(Event event) {
    return event instanceof Event.ClockStep
        || event instanceof Event.LinkFault
        || (event instanceof Kill kill && kill.part() != Part.Adapter);
  }

  private static boolean delaysAnswers(Event event) {
    boolean heldUp =
        event instanceof LinkFault fault
            && (fault.link() == Link.Requests || fault.link() == Link.Acks);
    return heldUp || (event instanceof Event.Pause pause && pause.part() == Part.Adapter);
  }

  private static boolean anyNode(Plan plan, Predicate<NodeSetup> has) {
    return plan.nodes().stream().anyMatch(has);
  }

  private static boolean anyEvent(Plan plan, Predicate<Event> has) {
    return plan.events().stream().anyMatch(has);
  }
}
