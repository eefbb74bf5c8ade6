package io.dynims.cli.doctor;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

/**
 * What to examine, and how.
 *
 * @param targets what to examine
 * @param localStack whether that is the local stack, which {@code ./dynims} mends
 * @param root where the kernel's {@code proc} and {@code sys} are; {@code /} except in tests
 * @param rights the table of what each Kafka user needs, {@code dist/kafka/acls.csv}
 * @param clock this machine's clock
 * @param timeout the longest wait for an answer, above 0
 */
public record DoctorOptions(
    DoctorTargets targets,
    boolean localStack,
    Path root,
    Path rights,
    Clock clock,
    Duration timeout) {

  /** How to start a part again, and where its log is. */
  String restart(Program program) {
    if (localStack) {
      return "./dynims up starts what is not running; ./dynims logs " + program.part;
    }
    return program.unit.isEmpty()
        ? "start it, or correct its address"
        : "systemctl restart %1$s; journalctl -u %1$s".formatted(program.unit);
  }

  /** A program of DynIMS's loop. */
  enum Program {
    Adapter("adapter", "dynims-alluxio-adapter"),
    Collectd("collectd", "dynims-collectd"),
    Controller("controller", ""),
    Job("flink", ""),
    Kafka("kafka", ""),
    Worker("alluxio-worker", "");

    private final String part;
    private final String unit;

    Program(String part, String unit) {
      this.part = part;
      this.unit = unit;
    }
  }
}
