package io.dynims.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.Hint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {

  private static final List<Hint> HINTS = List.of(new Hint("job", 5, 1, 9));

  @TempDir private Path folder;

  private final RecordingDisk disk = new RecordingDisk();
  private Path path;
  private StateFile file;

  /** Records what is done, and empties at a power cut what was not forced, as XFS may. */
  private static final class RecordingDisk extends StateFile.Disk {

    final List<String> done = new ArrayList<>();
    private final Set<Path> unforced = new HashSet<>();

    @Override
    void write(Path file, byte[] content) throws IOException {
      record("write", file);
      unforced.add(file);
      super.write(file, content);
    }

    @Override
    void force(Path path) throws IOException {
      record("force", path);
      unforced.remove(path);
      super.force(path);
    }

    @Override
    void rename(Path from, Path to) throws IOException {
      record("rename", to);
      if (unforced.remove(from)) {
        unforced.add(to);
      } else {
        unforced.remove(to);
      }
      super.rename(from, to);
    }

    void cutPower() throws IOException {
      for (Path lost : unforced) {
        Files.write(lost, new byte[0]);
      }
    }

    private void record(String what, Path path) {
      done.add(what + " " + path.getFileName());
    }
  }

  @BeforeEach
  void open() {
    path = folder.resolve("state");
    file = StateFile.open(Optional.of(path), disk);
  }

  @Test
  void whatIsSavedIsThereAgain() {
    file.change(state -> state.withHints(HINTS).withMax(100).withCapacity(70));
    file.save();

    assertThat(reopened()).isEqualTo(file.state());
  }

  @Test
  void hintsAreForcedToDiskBeforeTheFileHasItsNameAndThenTheName() {
    file.change(state -> state.withHints(HINTS));
    file.save();

    assertThat(disk.done)
        .containsExactly(
            "write state.new", "force state.new", "rename state", "force " + folder.getFileName());
  }

  @Test
  void aCapacityIsNotForcedToDisk() {
    file.change(state -> state.withCapacity(70));
    file.save();

    assertThat(disk.done).containsExactly("write state.capacity.new", "rename state.capacity");
  }

  @Test
  void nothingIsDoneWhileNothingChanges() {
    file.change(state -> state.withHints(HINTS).withCapacity(70));
    file.save();
    disk.done.clear();
    file.save();

    assertThat(disk.done).isEmpty();
    StateFile later = StateFile.open(Optional.of(path), disk);
    later.save();
    assertThat(disk.done).isEmpty();
  }

  @Test
  void hintsSurviveAPowerCutWhileTheCapacityMoves() throws IOException {
    file.change(state -> state.withHints(HINTS).withCapacity(70));
    file.save();
    file.change(state -> state.withCapacity(60));
    file.save();

    disk.cutPower();

    assertThat(reopened()).isEqualTo(SavedState.NONE.withHints(HINTS));
  }

  @Test
  void aCapacityInTheSameFileIsTakenOver() throws IOException {
    Files.writeString(path, "{\"capacityBytes\":70,\"maxBytes\":100}");
    StateFile older = StateFile.open(Optional.of(path), disk);
    assertThat(older.state()).isEqualTo(SavedState.NONE.withCapacity(70).withMax(100));

    older.change(state -> state.withHints(HINTS));
    older.save();

    assertThat(reopened()).isEqualTo(older.state());
  }

  private SavedState reopened() {
    return StateFile.open(Optional.of(path)).state();
  }
}
