package io.dynims.torture.world;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;
import io.dynims.simulation.MachineClock;
import io.dynims.tier.HintRequest;
import io.dynims.torture.plan.Event;
import io.dynims.torture.plan.Event.Kill;
import io.dynims.torture.plan.Recording;
import java.util.List;

/** Makes the events of a plan happen. */
public final class Happening {

  /** The most that a message can name. */
  private static final long HUGE = 1L << 53;

  private final World world;

  /** The events of a world's plan. */
  public Happening(World world) {
    this.world = world;
  }

  /** Schedules all. */
  public void schedule() {
    for (Event event : world.plan().events()) {
      world.time().after(event.atMillis(), () -> begin(event));
      if (event.endMillis() > event.atMillis()) {
        world.time().after(event.endMillis(), () -> end(event));
      }
      if (event instanceof Event.Jobs jobs) {
        world.node(jobs.node()).add(jobs.load());
      } else if (event instanceof Event.RecordedJobs jobs) {
        world.node(jobs.node()).add(millis -> bytesAt(jobs, millis));
      }
    }
  }

  /** They come within a second. */
  private static long bytesAt(Event.RecordedJobs jobs, double millis) {
    double since = millis - jobs.atMillis();
    return since < 0 || millis >= jobs.endMillis()
        ? 0
        : (long)
            (jobs.scale() * Math.min(1, since / 1e3) * Recording.bytesAt(jobs.fromRow(), since));
  }

  private void begin(Event event) {
    world.trace().line(() -> "*** " + event);
    world.seen().mark(event.getClass().getSimpleName());
    if (event instanceof Event.LinkFault fault) {
      world.network().begin(fault);
    } else if (event instanceof Kill kill) {
      kill(kill);
    } else if (event instanceof Event.Pause pause) {
      process(pause).pause();
    } else if (event instanceof Event.Withdrawal withdrawal) {
      world.withdraw(new TierKey(withdrawal.node(), withdrawal.tier()));
    } else if (event instanceof Event.ClockStep step) {
      world.clock(step.node()).step(step.byMillis());
    } else if (event instanceof Event.PolicyChange change) {
      change(change);
    } else if (event instanceof Event.SlowStore slow) {
      adapter(slow, slow.tier()).store().slow(slow.factor());
    } else if (event instanceof Event.Refusing refusing) {
      adapter(refusing, refusing.tier()).refuse(true);
    } else if (event instanceof Event.Locked locked) {
      adapter(locked, locked.tier()).store().lock(locked.bytes());
    } else if (event instanceof Event.Unpersisted unpersisted) {
      adapter(unpersisted, unpersisted.tier()).setUnpersisted(unpersisted.bytes());
    } else if (event instanceof Event.HintGiven hint) {
      give(hint);
    } else if (event instanceof Event.Foreign foreign) {
      adapter(foreign, foreign.tier()).setByOther(foreign.bytes());
    } else if (event instanceof Event.OddAck odd) {
      int copies = odd.kind() == 2 ? 100 : 1;
      for (int i = 0; i < copies; i++) {
        world.send(ack(odd, i), "somebody");
      }
    } else if (event instanceof Event.OddReading odd) {
      world.send(reading(odd));
    }
  }

  private void end(Event event) {
    world.trace().line(() -> "*** ends: " + event);
    if (event instanceof Event.LinkFault fault) {
      world.network().end(fault);
    } else if (event instanceof Kill kill) {
      revive(kill);
    } else if (event instanceof Event.Pause pause) {
      process(pause).resume();
    } else if (event instanceof Event.Withdrawal withdrawal) {
      giveAgain(withdrawal);
    } else if (event instanceof Event.SlowStore slow) {
      adapter(slow, slow.tier()).store().slow(1);
    } else if (event instanceof Event.Refusing refusing) {
      adapter(refusing, refusing.tier()).refuse(false);
    } else if (event instanceof Event.Locked locked) {
      adapter(locked, locked.tier()).store().lock(0);
    } else if (event instanceof Event.Unpersisted unpersisted) {
      adapter(unpersisted, unpersisted.tier()).setUnpersisted(0);
    }
  }

  private void give(Event.HintGiven hint) {
    AdapterHost adapter = adapter(hint, hint.tier());
    if (adapter.isAlive() && hint.bytes() > 0) {
      long expires = adapter.clock().millis() + hint.endMillis() - hint.atMillis();
      String owner = "job-" + hint.atMillis();
      adapter.give(new HintRequest(null, owner, hint.bytes(), null, expires));
    }
  }

  private AdapterHost adapter(Event event, String tier) {
    return world.adapter(event.node(), tier);
  }

  private Pausable process(Event.Pause pause) {
    return switch (pause.part()) {
      case Job -> world.job().process();
      case Controller -> world.controller(pause.index()).process();
      default -> adapter(pause, pause.tier()).process();
    };
  }

  /** The policy of the plan, but for the threshold that the node's other tiers have now. */
  private void giveAgain(Event.Withdrawal withdrawal) {
    TierKey key = new TierKey(withdrawal.node(), withdrawal.tier());
    if (world.policy(key) != null) {
      return; // Two withdrawals overlap.
    }
    Policy planned = world.planned(key);
    double threshold = planned.threshold();
    for (AdapterHost other : world.adapters(key.node())) {
      Policy now = world.policy(other.key());
      threshold = now == null ? threshold : now.threshold();
    }
    world.change(planned.with(planned.mode(), threshold, planned.memoryBudgetBytes()));
  }

  private void kill(Kill kill) {
    switch (kill.part()) {
      case Job -> world.job().kill();
      case Controller -> world.controller(kill.index()).kill();
      case Adapter -> adapter(kill, kill.tier()).kill();
      case Store -> {
        adapter(kill, kill.tier()).refuse(true);
        adapter(kill, kill.tier()).store().restart();
      }
    }
  }

  private void revive(Kill kill) {
    switch (kill.part()) {
      case Job -> world.job().start(kill.saved());
      case Controller -> world.controller(kill.index()).start();
      case Adapter -> adapter(kill, kill.tier()).start(kill.saved());
      case Store -> adapter(kill, kill.tier()).refuse(false);
    }
  }

  private void change(Event.PolicyChange change) {
    for (AdapterHost adapter : world.adapters(change.node())) {
      Policy now = world.policy(adapter.key());
      if (now == null) {
        continue;
      }
      Mode mode = adapter.key().tier().equals(change.tier()) ? change.mode() : now.mode();
      world.change(now.with(mode, change.threshold(), now.memoryBudgetBytes()));
    }
  }

  /** Valid messages that are not true: the ranges of others are refused where they are read. */
  private Ack ack(Event.OddAck odd, int copy) {
    AdapterHost adapter = adapter(odd, odd.tier());
    long nowMillis = MachineClock.EPOCH_MILLIS + world.time().millis();
    long bytes = odd.kind() % 2 == 0 ? HUGE : 0;
    String tier = odd.kind() == 2 ? "another-" + copy : adapter.key().tier();
    long sampledMillis = odd.kind() == 3 ? HUGE : odd.kind() == 4 ? 0 : nowMillis;
    return new Ack(
        adapter.key().node(),
        tier,
        bytes,
        bytes,
        bytes,
        odd.kind() == 5 ? HUGE : null,
        odd.kind() == 5 ? HUGE : null,
        1.0,
        AckStatus.Applied,
        "",
        sampledMillis,
        nowMillis,
        List.of(),
        null,
        null);
  }

  private MemoryReading reading(Event.OddReading odd) {
    long nowMillis = MachineClock.EPOCH_MILLIS + world.time().millis();
    long totalBytes = odd.kind() == 0 ? 0 : odd.kind() == 1 ? HUGE : 1 << 30;
    long millis = odd.kind() == 2 ? 0 : odd.kind() == 3 ? nowMillis + 3_600_000 : nowMillis;
    return new MemoryReading(
        odd.node(),
        millis,
        odd.kind() == 4 ? 1 : MemoryReading.WHOLE,
        totalBytes,
        odd.kind() == 5 ? -HUGE : totalBytes / 2,
        null,
        odd.kind() == 5 ? -1L : null);
  }
}
