package io.dynims.cli.check;

import static io.dynims.cli.check.CheckFailedException.require;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.cli.check.CheckResult.Verdict;
import io.dynims.cli.stack.StackException;
import io.dynims.tier.TierApi;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Checks an adapter through its Tier API alone: whether it keeps the contract, and whether what it
 * tells can be true. Evicts data. Puts the capacity back at the end.
 */
public final class TierCheck {

  /** One check. */
  interface Check {
    /**
     * Makes it.
     *
     * @return what was seen, in one line
     * @throws CheckFailedException if the adapter does not keep the contract
     * @throws CheckSkippedException if the check cannot be made
     * @throws IOException if the adapter does not answer
     */
    String run()
        throws CheckFailedException, CheckSkippedException, IOException, InterruptedException;
  }

  private final TierProbe probe;
  private final TierReading before;
  private boolean restored;

  /**
   * Reads the adapter's state; changes nothing yet.
   *
   * @throws StackException if the adapter does not answer, or must not be checked now
   */
  public TierCheck(CheckOptions options) throws StackException, InterruptedException {
    this(options, CheckPace.REAL);
  }

  TierCheck(CheckOptions options, CheckPace pace) throws StackException, InterruptedException {
    this.probe = new TierProbe(options, pace);
    this.before = first();
  }

  private TierReading first() throws StackException, InterruptedException {
    String where = probe.options().adapter() + TierApi.PATH;
    try {
      TierProbe.Answer answer = probe.get(TierApi.PATH);
      if (answer.status() != 200) {
        throw new StackException(where + ": " + answer.text());
      }
      JsonNode body = answer.json();
      TierReading reading = TierReading.of(body);
      if (Boolean.TRUE.equals(reading.leaseHeld())) {
        throw new StackException(
            where
                + ": a controller has the tier (leaseHeld); stop it, or wait until its lease ends,"
                + " at most 60 s");
      }
      if (body.path("guard").isTextual()) {
        throw new StackException(
            where
                + ": the adapter follows a policy, and its guard moves the capacity meanwhile; check"
                + " one without a policy, such as one with an empty state file");
      }
      return reading;
    } catch (IOException e) {
      throw new StackException(where + " does not answer: " + message(e), e);
    } catch (CheckFailedException e) {
      throw new StackException(where + ": " + e.getMessage(), e);
    }
  }

  /** Makes all checks, one after the other; tells each result as it comes. */
  public List<CheckResult> run(Consumer<CheckResult> onResult) throws InterruptedException {
    List<CheckResult> results = new ArrayList<>();
    try {
      for (Map.Entry<String, Check> each : checks().entrySet()) {
        CheckResult result = run(each.getKey(), each.getValue());
        if (probe.hasEnded()) {
          break;
        }
        results.add(result);
        onResult.accept(result);
      }
    } finally {
      CheckResult result = run("capacity-is-put-back", this::putBack);
      results.add(result);
      onResult.accept(result);
    }
    return results;
  }

  private Map<String, Check> checks() {
    Map<String, Check> all = new LinkedHashMap<>();
    new StatusChecks(probe).addTo(all);
    // While the data that the store has is still there.
    new MemoryChecks(probe).addTo(all);
    new ResizeChecks(probe).addTo(all);
    new InputChecks(probe).addTo(all);
    new AccessChecks(probe).addTo(all);
    new OrderChecks(probe).addTo(all);
    new ConcurrencyCheck(probe).addTo(all);
    new RestartCheck(probe).addTo(all);
    return all;
  }

  private static CheckResult run(String name, Check check) throws InterruptedException {
    try {
      return new CheckResult(name, Verdict.PASS, check.run());
    } catch (CheckSkippedException e) {
      return new CheckResult(name, Verdict.SKIP, e.getMessage());
    } catch (CheckFailedException e) {
      return new CheckResult(name, Verdict.FAIL, e.getMessage());
    } catch (IOException e) {
      return new CheckResult(name, Verdict.FAIL, "no answer: " + message(e));
    }
  }

  /**
   * Puts the capacity back as it was, within the bounds; only the first call does anything.
   *
   * @return the capacity, as a text
   * @throws StackException if the adapter does not apply it
   */
  public String restore() throws StackException, InterruptedException {
    CheckResult result = run("", this::putBack);
    if (result.verdict() == Verdict.FAIL) {
      throw new StackException("the capacity could not be put back: " + result.reason());
    }
    return result.reason();
  }

  private synchronized String putBack()
      throws CheckFailedException, IOException, InterruptedException {
    long bytes = before.clamp(before.capacityBytes());
    if (!restored) {
      restored = true;
      TierProbe.Answer answer = probe.restore(bytes);
      require(answer.status() == 200, "a request for %d bytes: %s".formatted(bytes, answer.text()));
      long told = TierReading.of(answer.json()).capacityBytes();
      require(told == bytes, "the capacity was %d bytes, and is %d now".formatted(bytes, told));
    }
    return bytes + " bytes";
  }

  private static String message(IOException e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
