package io.dynims.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.core.wire.Hint;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HintBookTest {

  private static final long NOW = 1_800_000_000_000L;
  private static final long LONGEST = 600_000;
  private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC);

  @TempDir private Path folder;

  @Test
  void aHintWithoutTimesBeginsNowAndHoldsForTenMinutes() throws Exception {
    assertThat(book().put(request("job", 5, null, null)))
        .containsExactly(new Hint("job", 5, NOW, NOW + 600_000));
    assertThat(book().put(request("later", 5, NOW + 1_000, null)))
        .containsExactly(new Hint("later", 5, NOW + 1_000, NOW + 601_000));
    assertThat(book().put(request("earlier", 5, NOW - 1_000, null)))
        .containsExactly(new Hint("earlier", 5, NOW - 1_000, NOW + 600_000));
  }

  @Test
  void aHintOfTheSameOwnerIsReplacedAndWithdrawnByItsOwner() throws Exception {
    HintBook book = book();
    book.put(request("a", 5, null, null));
    book.put(request("b", 6, null, null));

    assertThat(book.put(request("a", 7, null, null)))
        .extracting(hint -> hint.owner() + " " + hint.bytes())
        .containsExactly("b 6", "a 7");
    assertThat(book.remove("b")).extracting(Hint::owner).containsExactly("a");
    assertThat(book.remove("b")).as("again").hasSize(1);
    assertThat(book.hints()).hasSize(1);
  }

  @Test
  void keepsAsManyAsItMayUntilTheyExpire() throws Exception {
    StateFile file = StateFile.open(Optional.empty());
    HintBook book = new HintBook(file, LONGEST, CLOCK);
    for (int i = 0; i < Hint.MAX_HINTS; i++) {
      book.put(request("job-" + i, 1, null, NOW + 1_000));
    }

    assertThatThrownBy(() -> book.put(request("one-more", 1, null, null)))
        .isInstanceOf(TooManyHintsException.class);
    assertThat(book.put(request("job-0", 2, null, null))).hasSize(Hint.MAX_HINTS);

    HintBook later = new HintBook(file, LONGEST, Clock.offset(CLOCK, Duration.ofSeconds(1)));
    assertThat(later.hints()).extracting(Hint::owner).containsExactly("job-0");
    assertThat(later.put(request("one-more", 1, null, null))).hasSize(2);
  }

  @Test
  void hintsOutliveARestart() throws Exception {
    Optional<Path> file = Optional.of(folder.resolve("state"));
    StateFile before = StateFile.open(file);
    new HintBook(before, LONGEST, CLOCK).put(request("job", 5, null, null));
    before.save();

    assertThat(new HintBook(StateFile.open(file), LONGEST, CLOCK).hints())
        .containsExactly(new Hint("job", 5, NOW, NOW + 600_000));
  }

  @Test
  void aHintWithoutAnEndHoldsForAsLongAsItMayIfThatIsLess() throws Exception {
    HintBook book = new HintBook(StateFile.open(Optional.empty()), 60_000, CLOCK);

    assertThat(book.put(request("job", 5, null, null)))
        .containsExactly(new Hint("job", 5, NOW, NOW + 60_000));
  }

  @Test
  void aClockThatIsALittleAheadDoesNotRefuseALongHint() throws Exception {
    assertThat(book().put(request("job", 5, null, NOW + LONGEST + 5_000)))
        .containsExactly(new Hint("job", 5, NOW, NOW + LONGEST));
    assertThat(book().put(request("later", 5, NOW + 1_000, NOW + LONGEST + 1_001)))
        .containsExactly(new Hint("later", 5, NOW + 1_000, NOW + LONGEST + 1_000));
  }

  @Test
  void aHintFromBeforeTheClockWasSetBackHoldsNoLongerThanItMay() throws Exception {
    StateFile file = StateFile.open(Optional.empty());
    HintBook book = new HintBook(file, LONGEST, CLOCK);
    book.put(request("since-long", 1, NOW - 7_200_000, NOW + 1_000));
    book.put(request("now", 1, null, null));

    HintBook anHourBack = new HintBook(file, LONGEST, Clock.offset(CLOCK, Duration.ofHours(-1)));
    assertThat(anHourBack.hints()).extracting(Hint::owner).containsExactly("now");
    HintBook daysBack = new HintBook(file, LONGEST, Clock.offset(CLOCK, Duration.ofDays(-2)));
    assertThat(daysBack.hints()).isEmpty();
    assertThat(daysBack.put(request("other", 1, null, null))).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "86400001, 86400002, startMillis",
    "-5000, -1, expiresMillis",
    "-5000, 0, expiresMillis",
    "1000, 1000, expiresMillis",
    "0, 605001, expiresMillis",
    "1000, 606001, expiresMillis",
  })
  void refusesTimesOutOfRange(long start, long end, String field) {
    assertThatThrownBy(() -> book().put(request("job", 1, NOW + start, NOW + end)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(field + ": ");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1, owner",
    "'a b', 1, owner",
    "a/b, 1, owner",
    "job, 0, bytes",
    "job, -1, bytes",
    "job, 9007199254740993, bytes"
  })
  void refusesOwnersAndSizesOutOfRange(String owner, long bytes, String field) {
    assertThatThrownBy(() -> request(owner, bytes, null, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(field + ": ");
  }

  private static HintBook book() {
    return new HintBook(StateFile.open(Optional.empty()), LONGEST, CLOCK);
  }

  private static HintRequest request(String owner, long bytes, Long start, Long end) {
    return new HintRequest(null, owner, bytes, start, end);
  }
}
