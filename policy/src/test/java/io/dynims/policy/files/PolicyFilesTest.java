package io.dynims.policy.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.policy.PolicyError;
import io.dynims.policy.Vacancy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyFilesTest {

  @TempDir Path folder;

  @Test
  void aFileCountsOnceTwoScansHaveSeenTheSame() throws IOException {
    PolicyFiles files = new PolicyFiles(List.of(folder));
    files.scan();
    write("a.yaml", document("one", "n1"));

    assertThat(files.scan().set().tiers()).isEmpty();
    assertThat(files.scan().set().tiers()).hasSize(1);
  }

  @Test
  void filesOfSeveralFoldersAreToldApart() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    write("a.yaml", document("one", "n1"));
    write("other/a.yaml", "a: [");
    PolicyFiles files = new PolicyFiles(List.of(folder, other));
    files.scan();

    PolicyFiles.Result result = files.scan();
    assertThat(result.set().tiers()).hasSize(1);
    assertThat(result.set().errors())
        .extracting(PolicyError::file)
        .containsExactly(other.resolve("a.yaml").toString());
  }

  @Test
  void aMissingFolderIsNamed() throws IOException {
    write("a.yaml", document("one", "n1"));
    PolicyFiles files = new PolicyFiles(List.of(folder, folder.resolve("missing")));
    files.scan();

    assertThat(files.scan().set().errors())
        .singleElement()
        .satisfies(
            error ->
                assertThat(error.reason()).contains("missing: cannot be read: it does not exist"));
  }

  @Test
  void aHalfWrittenFileDoesNoHarm() throws IOException {
    String whole = document("one", "n1") + "---\n" + document("two", "n2");
    write("a.yaml", whole);
    PolicyFiles files = settled(folder);

    write("a.yaml", document("one", "n1"));
    assertThat(files.scan().set().tiers()).hasSize(2);
    write("a.yaml", whole);
    files.scan();

    assertThat(files.scan().set().tiers()).hasSize(2);
    assertThat(files.scan().set().errors()).isEmpty();
  }

  @Test
  void aBadFileIsRefusedAndTheLastGoodVersionStays() throws IOException {
    write("a.yaml", document("one", "n1"));
    PolicyFiles files = settled(folder);
    write("a.yaml", "a: [");
    files.scan();

    PolicyFiles.Result result = files.scan();
    assertThat(result.set().tiers()).hasSize(1);
    assertThat(result.set().errors())
        .extracting(PolicyError::file, error -> error.reason().contains("line 1"))
        .containsExactly(org.assertj.core.groups.Tuple.tuple("a.yaml", true));
  }

  @Test
  void aFileThatIsNotTextIsRefused() throws IOException {
    Files.write(folder.resolve("a.yaml"), new byte[] {(byte) 0xC3, 0x28});

    assertThat(settled(folder).scan().set().errors())
        .extracting(PolicyError::reason)
        .containsExactly("cannot be read: it is not UTF-8 text");
  }

  @Test
  void aSwappedConfigMapIsFollowed() throws IOException {
    configMap("..1", document("one", "n1"));
    Files.createSymbolicLink(folder.resolve("..data"), Path.of("..1"));
    Files.createSymbolicLink(folder.resolve("a.yaml"), Path.of("..data/a.yaml"));
    PolicyFiles files = settled(folder);
    assertThat(nodes(files.scan())).containsExactly("n1");

    configMap("..2", document("one", "n2"));
    Files.createSymbolicLink(folder.resolve("..tmp"), Path.of("..2"));
    Files.move(
        folder.resolve("..tmp"),
        folder.resolve("..data"),
        java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    files.scan();

    assertThat(nodes(files.scan())).containsExactly("n2");
  }

  @Test
  void aDeletedFileWithdrawsItsPolicies() throws IOException {
    write("a.yaml", document("one", "n1"));
    PolicyFiles files = settled(folder);
    Files.delete(folder.resolve("a.yaml"));

    assertThat(files.scan().set().tiers()).hasSize(1);
    assertThat(files.scan().set().tiers()).isEmpty();
  }

  @Test
  void aFolderThatGoesAwayWithdrawsNothing() throws IOException {
    Path within = Files.createDirectory(folder.resolve("policies"));
    Files.writeString(within.resolve("a.yaml"), document("one", "n1"));
    PolicyFiles files = settled(within);
    Files.move(within, folder.resolve("gone"));
    files.scan();

    PolicyFiles.Result result = files.scan();
    assertThat(result.set().tiers()).hasSize(1);
    assertThat(result.set().errors())
        .extracting(PolicyError::reason)
        .containsExactly(within + ": cannot be read: it does not exist");

    Files.move(folder.resolve("gone"), within);
    files.scan();
    assertThat(files.scan().set().errors()).isEmpty();
  }

  @Test
  void aPathThatNeverWasThereTellsNothing() {
    PolicyFiles files = new PolicyFiles(List.of(folder.resolve("missing")));
    files.scan();

    assertThat(files.scan().everRead()).isFalse();
    assertThat(files.scan().set().errors()).hasSize(1);
  }

  @Test
  void aSingleFileIsFollowedAndItsDeletionWithdraws() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), document("one", "n1"));
    PolicyFiles files = settled(file);
    assertThat(files.scan().set().tiers()).hasSize(1);
    Files.delete(file);
    files.scan();

    assertThat(files.scan().set().tiers()).isEmpty();
  }

  @Test
  void otherAndHiddenFilesAreLeftOut() throws IOException {
    write(".a.yaml", "a: [");
    write("a.yaml.swp", "a: [");
    write("README", "a: [");

    assertThat(settled(folder).scan().set().errors()).isEmpty();
  }

  @Test
  void anEmptiedFolderIsAVacancyOfEverything() throws IOException {
    write("a.yaml", document("one", "n1"));
    PolicyFiles files = settled(folder);
    assertThat(files.scan().set().vacancy()).isEqualTo(Vacancy.NONE);

    Files.delete(folder.resolve("a.yaml"));
    files.scan();

    assertThat(files.scan().set().vacancy()).isEqualTo(new Vacancy(true, Set.of()));
    assertThat(settled(folder).scan().set().vacancy().everything()).as("from the start").isTrue();
  }

  @Test
  void anEmptiedFileIsAVacancyOfItsTiers() throws IOException {
    write("a.yaml", document("one", "n1"));
    write("b.yaml", document("two", "n2"));
    PolicyFiles files = settled(folder);

    write("b.yaml", "");
    files.scan();
    files.scan();

    assertThat(files.scan().set().vacancy()).isEqualTo(new Vacancy(false, Set.of("two")));
  }

  @Test
  void aDocumentDeletedBesideOthersLeavesNoVacancy() throws IOException {
    write("a.yaml", document("one", "n1") + "---\n" + document("three", "n3"));
    write("b.yaml", document("two", "n2"));
    PolicyFiles files = settled(folder);

    write("a.yaml", document("one", "n1"));
    Files.delete(folder.resolve("b.yaml"));
    files.scan();

    assertThat(files.scan().set().vacancy()).isEqualTo(Vacancy.NONE);
  }

  private static PolicyFiles settled(Path path) {
    PolicyFiles files = new PolicyFiles(List.of(path));
    files.scan();
    files.scan();
    return files;
  }

  private static List<String> nodes(PolicyFiles.Result result) {
    return result.set().tiers().stream().map(tier -> tier.key().node()).toList();
  }

  private void configMap(String name, String text) throws IOException {
    Files.writeString(
        Files.createDirectory(folder.resolve(name)).resolve("a.yaml"),
        text,
        StandardCharsets.UTF_8);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private static String document(String name, String node) {
    return """
        apiVersion: dynims.io/v1alpha1
        kind: MemoryTier
        metadata: {name: %s}
        spec:
          nodes: {list: [{name: %s, adapter: "http://127.0.0.1:7070"}]}
          capacity: {max: 1Gi}
        """
        .formatted(name, node);
  }
}
