package io.dynims.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.operator.Role;
import io.dynims.policy.PolicyError;
import io.dynims.policy.PolicySet;
import io.dynims.policy.files.PolicyFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FilePoliciesTest {

  private static final PolicyError ERROR = new PolicyError("a.yaml", "1", "spec.mode", "is wrong");

  private final FilePolicies policies =
      new FilePolicies(List.of(Path.of("/etc/policies")), 100, Optional.empty());

  @AfterEach
  void close() {
    policies.close();
  }

  @Test
  void theOnlyReplicaIsTheLeader() {
    assertThat(policies.initialRole()).isEqualTo(Role.Leader);
  }

  @Test
  void namesThePathThatHasNotBeenReadAndWhy() {
    assertThat(policies.missing(new PolicyFiles.Result(PolicySet.EMPTY, false)))
        .contains("policies: /etc/policies has not been read yet");
    assertThat(policies.missing(result(false, ERROR)))
        .contains("policies: /etc/policies has not been read yet: is wrong");
  }

  @Test
  void isReadyWithNoDocumentsButNotIfAllWereRejected() {
    assertThat(policies.missing(result(true))).isEmpty();
    assertThat(policies.missing(result(true, ERROR)))
        .hasValueSatisfying(text -> assertThat(text).contains("all documents were rejected"));
  }

  private static PolicyFiles.Result result(boolean everRead, PolicyError... errors) {
    return new PolicyFiles.Result(new PolicySet(List.of(), List.of(errors)), everRead);
  }
}
