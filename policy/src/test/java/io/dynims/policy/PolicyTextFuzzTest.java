package io.dynims.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.dynims.core.fuzz.CodecProperties;
import io.dynims.core.fuzz.SeedCorpus;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import io.dynims.core.law.ControlLaw;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.WireCodec;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyTextFuzzTest {

  private static final long MEMORY_BYTES = 64L << 30;
  private static final List<ClaimedNode> SELECTED =
      List.of(new ClaimedNode("selected", URI.create("http://127.0.0.1:7070")));

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/dynims/policy/yaml.dict")
  void textIsRefusedOrGivesPoliciesThatNodesAccept(byte[] text) {
    check(text);
  }

  @Test
  void keptInputsAreRefusedOrAccepted() throws Exception {
    SeedCorpus.requireBothOutcomes(
        getClass(), "textIsRefusedOrGivesPoliciesThatNodesAccept", PolicyTextFuzzTest::check);
  }

  private static Outcome check(byte[] text) {
    List<Object> documents;
    try {
      documents = PolicyText.documents(new String(text, UTF_8));
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).startsWith("not YAML: ").doesNotContain("\n");
      return Outcome.Refused;
    }
    PolicyRegistry files = new PolicyRegistry();
    files.put("file", documents);
    PolicySet read = requireUsable(files);
    if (read.errors().isEmpty() && !documents.isEmpty()) {
      assertThat(read.tiers()).isNotEmpty();
    }

    PolicyRegistry cluster = new PolicyRegistry();
    documents.stream()
        .filter(Map.class::isInstance)
        .forEach(each -> cluster.put("resource", (Map<?, ?>) each, SELECTED));
    PolicySet selected = requireUsable(cluster);

    return read.tiers().isEmpty() && selected.tiers().isEmpty()
        ? Outcome.Refused
        : Outcome.Accepted;
  }

  private static PolicySet requireUsable(PolicyRegistry registry) {
    PolicySet set = registry.read();
    for (NodePolicySpec tier : set.tiers()) {
      Policy policy = tier.policy();
      assertThat(policy.key()).isEqualTo(tier.key());
      assertThat(tier.adapter()).isNotNull();
      assertThat(CodecProperties.check(WireCodec.POLICY, Policy.class, encoded(policy)))
          .isEqualTo(Outcome.Accepted);
      var parameters = policy.parameters(MEMORY_BYTES);
      assertThat(parameters.maxBytes()).isGreaterThanOrEqualTo(parameters.minBytes());
      assertThat(ControlLaw.of(parameters)).isNotNull();
    }
    for (PolicyError error : set.errors()) {
      assertThat(error.reason()).isNotBlank();
      assertThat(error.toString()).startsWith(error.file() + ", document ");
    }
    return set;
  }

  private static byte[] encoded(Policy policy) {
    return WireCodec.POLICY.encode(policy);
  }
}
