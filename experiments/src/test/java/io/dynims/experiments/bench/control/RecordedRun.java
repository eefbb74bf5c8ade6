package io.dynims.experiments.bench.control;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import io.dynims.experiments.demo.LoadProcess.Report;
import io.dynims.experiments.demo.UtilizationTrace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A run of ten seconds, written by hand: M is 4,000 MiB, and the load is a step of 800 MiB. */
final class RecordedRun {

  static final long MIB = 1L << 20;
  static final long BUDGET = 4_000 * MIB;
  static final long FROM = 102_000;
  static final long TO = 112_000;

  final UtilizationTrace node = new UtilizationTrace();
  final UtilizationTrace tier = new UtilizationTrace();
  final List<Report> reports = new ArrayList<>();
  final List<Target> targets = new ArrayList<>();
  final List<Ack> acks = new ArrayList<>();

  RecordedRun() {
    load(100_000, 0);
    load(104_000, 400);
    load(104_100, 800);
    load(108_000, 0);
  }

  void load(long millis, long mebibytes) {
    reports.add(new Report(millis, mebibytes * MIB));
  }

  void memory(long millis, long nodeMebibytes, long tierMebibytes) {
    node.add(millis, nodeMebibytes * MIB);
    tier.add(millis, tierMebibytes * MIB);
  }

  void ack(long millis, long capacityMebibytes) {
    acks.add(
        new Ack(
            "n",
            "t",
            capacityMebibytes * MIB,
            capacityMebibytes * MIB,
            0,
            AckStatus.Applied,
            "",
            millis - 10,
            millis));
  }

  /** A decision whose ack comes at this time. */
  void target(long ackMillis, long desiredMebibytes, String limitedBy) throws WireException {
    String json =
        """
        {"node": "n", "tier": "t", "desiredBytes": %d, "previousBytes": 0, "memoryUsedBytes": 0,
         "memoryTotalBytes": 1, "utilization": 0, "action": "Grow", "reason": "", "limitedBy": "%s",
         "sampledMillis": %d, "decidedMillis": 0}
        """
            .formatted(desiredMebibytes * MIB, limitedBy, ackMillis - 10);
    targets.add(WireCodec.TARGET.decode(json.getBytes(StandardCharsets.UTF_8)));
  }

  ControlRun run(ControlLoad load) {
    return run(LawType.Feedback, load, 1);
  }

  ControlRun run(LawType law, ControlLoad load, long readsWrong) {
    return new ControlRun(
        law,
        load,
        1,
        BUDGET,
        0.95,
        FROM,
        TO,
        node,
        tier,
        reports,
        targets,
        acks,
        8 - readsWrong,
        readsWrong,
        true);
  }
}
