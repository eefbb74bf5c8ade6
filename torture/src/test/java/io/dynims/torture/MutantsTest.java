package io.dynims.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each rule fails within 200 seeds where the product is broken in a way that the rule is about. */
@Tag("long")
class MutantsTest {

  private static final long SEEDS = 200;
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  /** A part of the product that is broken. */
  @SuppressWarnings("ImmutableEnumChecker")
  enum Mutant {
    TheLawMissesTheSetPoint(
        "memory",
        "core/src/main/java/io/dynims/core/law/ForecastLaw.java",
        "double setPointBytes = parameters.threshold() * input.memoryTotalBytes();",
        "double setPointBytes = 1.03 * parameters.threshold() * input.memoryTotalBytes();"),
    AJumpCountsTenTimes(
        "eviction",
        "core/src/main/java/io/dynims/core/law/ForecastLaw.java",
        "private static final double SUDDEN_BANDS = 2;",
        "private static final double SUDDEN_BANDS = 20;"),
    TheLawNeverGrows(
        "room",
        "core/src/main/java/io/dynims/core/law/ForecastLaw.java",
        "return !isFirst && nowMillis - model.blockedMillis >= own().settleMillis();",
        "return false;"),
    AnOlderSampleIsApplied(
        "order",
        "tier-api/src/main/java/io/dynims/tier/LeasedTier.java",
        "if (isRunning(last) && request.sampledMillis() < last.sampledMillis()) {",
        "if (isRunning(last) && request.sampledMillis() < 0) {"),
    AnEarlierTermIsApplied(
        "order",
        "tier-api/src/main/java/io/dynims/tier/LeasedTier.java",
        "return term != null && request.term() != null && request.term() < term;",
        "return false;"),
    AfterTheGuardMoreIsSetThanWasAskedFor(
        "explained",
        "tier-api/src/main/java/io/dynims/tier/LeasedTier.java",
        "    return Math.min(\n        request.desiredBytes(),",
        "    return Math.max(\n        request.desiredBytes(),"),
    APushSetsLessThanItAskedFor(
        "explained",
        "tier-api/src/main/java/io/dynims/tier/LeasedTier.java",
        "if (current == null || !isGuardedWithin(DOUBT_NANOS)) {",
        "if (current == null) {"),
    TheJobForgetsWhatExistsNowhereElse(
        "protection",
        "core/src/main/java/io/dynims/core/wire/Policy.java",
        "unpersisted == Unpersisted.Protect ? unpersistedBytes : 0,",
        "0,"),
    TheGuardForgetsWhatExistsNowhereElse(
        "protection",
        "core/src/main/java/io/dynims/core/guard/NodeGuard.java",
        "return policy.parameters(input.memoryTotalBytes(), orZero(inForce.unpersistedBytes()));",
        "return policy.parameters(input.memoryTotalBytes(), 0);"),
    ASampleFromTheFutureIsTaken(
        "progress",
        "core/src/main/java/io/dynims/core/loop/SampleFilter.java",
        "static final long FUTURE_TOLERANCE_MILLIS = 5_000;",
        "static final long FUTURE_TOLERANCE_MILLIS = 50_000_000;",
        "return longAgo ? null : Refusal.OutOfOrder;",
        "return Refusal.OutOfOrder;"),
    TiersWithoutAPolicyAreKept(
        "bounds",
        "core/src/main/java/io/dynims/core/loop/NodeLoop.java",
        "static final int MAX_TIERS = 64;",
        "static final int MAX_TIERS = 6_400;"),
    AClockThatIsSetBackMakesTheLoopFail(
        "failure",
        "core/src/main/java/io/dynims/core/loop/TierLoopState.java",
        "tells(this, reading) ? 0 : Math.max(0, nowMillis - answeredMillis),",
        "tells(this, reading) ? 0 : nowMillis - answeredMillis,");

    private final String rule;
    private final String file;
    private final String[] edits;

    Mutant(String rule, String file, String... edits) {
      this.rule = rule;
      this.file = file;
      this.edits = edits;
    }
  }

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void aMutantIsFound(Mutant mutant) throws Exception {
    compile(mutant);
    long found = 0;
    try (var loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      var broken = loader.loadClass(Torture.class.getName()).getMethod("rulesBrokenBy", long.class);
      for (long seed = 1; seed <= SEEDS && found == 0; seed++) {
        boolean isNew =
            ((Set<?>) broken.invoke(null, seed)).contains(mutant.rule)
                && !Torture.rulesBrokenBy(seed).contains(mutant.rule);
        found = isNew ? seed : 0;
      }
    }

    assertThat(found).as("the first seed that finds it").isPositive();
    System.out.printf("%s: seed %d%n", mutant, found);
  }

  private void compile(Mutant mutant) throws IOException {
    Path source = Path.of("..").resolve(mutant.file);
    String text = Files.readString(source);
    for (int i = 0; i < mutant.edits.length; i += 2) {
      assertThat(text).contains(mutant.edits[i]);
      text = text.replace(mutant.edits[i], mutant.edits[i + 1]);
    }
    Path copy = Files.writeString(folder.resolve(source.getFileName()), text);
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                CLASS_PATH,
                "-d",
                folder.toString(),
                copy.toString());
    assertThat(code).isZero();
  }

  private URL[] classPath() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    urls.add(folder.toUri().toURL());
    for (String part : CLASS_PATH.split(File.pathSeparator, -1)) {
      urls.add(Path.of(part).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }
}
