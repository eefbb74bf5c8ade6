package io.dynims.cli.check;

import static io.dynims.cli.check.CheckFailedException.require;
import static io.dynims.cli.check.CheckSkippedException.skipIf;

import io.dynims.tier.TierApi;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What an adapter does when it starts again: nobody has asked for more memory meanwhile. */
final class RestartCheck {

  private final TierProbe probe;

  RestartCheck(TierProbe probe) {
    this.probe = probe;
  }

  void addTo(Map<String, TierCheck.Check> checks) {
    checks.put("restart", this::restart);
  }

  private String restart()
      throws CheckFailedException, CheckSkippedException, IOException, InterruptedException {
    CheckOptions options = probe.options();
    skipIf(options.restartCommand().isEmpty(), "no --restart-command");
    TierReading before = probe.settle(probe.read().between(0.5));
    long beginNanos = System.nanoTime();
    new CheckCommand("--restart-command", options.restartCommand().get())
        .run(Map.of(), options.answerTimeout());
    TierReading after = awaitAnswer(probe.deadlineNanos());
    require(
        after.capacityBytes() <= before.maxBytes(),
        "the first capacity is %d, above the maxBytes of before, %d"
            .formatted(after.capacityBytes(), before.maxBytes()));
    require(
        after.capacityBytes() <= before.capacityBytes(),
        "the capacity was %d before, and is %d afterwards: nobody asked for more"
            .formatted(before.capacityBytes(), after.capacityBytes()));
    TierReading settled =
        probe.await("usedBytes at most capacityBytes + unevictableBytes", TierReading::usedFits);
    return "serves again after %d ms, with %d bytes; %d before"
        .formatted(
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos),
            settled.capacityBytes(),
            before.capacityBytes());
  }

  /** The first status that the adapter tells; until then it may be away or say 503. */
  private TierReading awaitAnswer(long deadlineNanos)
      throws CheckFailedException, InterruptedException {
    String last;
    do {
      try {
        TierProbe.Answer answer = probe.get(TierApi.PATH);
        if (answer.status() == 200) {
          return TierReading.of(answer.json());
        }
        last = answer.text();
      } catch (IOException e) {
        last = e.toString();
      }
      probe.pace().pause();
    } while (probe.isBefore(deadlineNanos));
    throw new CheckFailedException(
        "does not serve again within %d s: %s"
            .formatted(probe.options().timeout().toSeconds(), last));
  }
}
