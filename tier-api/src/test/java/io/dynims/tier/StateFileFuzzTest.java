package io.dynims.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.dynims.core.fuzz.CodecProperties;
import io.dynims.core.fuzz.SeedCorpus;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An adapter that starts with a file of any content. */
class StateFileFuzzTest {

  /** Held, so that its level is: each unreadable file is told. */
  private static final Logger UNREADABLE = Logger.getLogger(StateFile.class.getName());

  static {
    UNREADABLE.setLevel(Level.OFF);
  }

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void nameTheFile() {
    path = folder.resolve("state");
  }

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/dynims/core/fuzz/json.dict")
  void anAdapterStartsWithAnyFile(byte[] content) throws Exception {
    check(content);
  }

  @Test
  void keptInputsAreRefusedOrAccepted() throws Exception {
    SeedCorpus.requireBothOutcomes(getClass(), "anAdapterStartsWithAnyFile", this::check);
  }

  private Outcome check(byte[] content) throws Exception {
    StateFile file = open(content);
    SavedState state = file.state();
    CodecProperties.requireWhole("state", state);
    requireUsable(state);
    String node = state.policy() == null ? "n" : state.policy().node();
    GuardSettings guard = new GuardSettings(node, Optional.empty(), file);
    InMemoryTierStore store = new InMemoryTierStore("t", 10, 100);
    LeasedTier tier = new LeasedTier(store, guard, Clock.systemUTC(), System::nanoTime);
    assertThat(tier.status().node()).isEqualTo(node);

    file.change(each -> each.withCapacity(7).withMax(8));
    file.save();
    assertThat(StateFile.open(Optional.of(path)).state()).isEqualTo(file.state());
    return state.equals(SavedState.NONE) ? Outcome.Refused : Outcome.Accepted;
  }

  private StateFile open(byte[] content) throws IOException {
    Files.write(path, content);
    Files.deleteIfExists(folder.resolve("state.capacity")); // Of the content before.
    return StateFile.open(Optional.of(path));
  }

  private static void requireUsable(SavedState state) {
    if (state.capacityBytes() != null) {
      assertThat(state.capacityBytes()).isNotNegative();
    }
    if (state.maxBytes() != null) {
      assertThat(state.maxBytes()).isNotNegative();
    }
  }
}
