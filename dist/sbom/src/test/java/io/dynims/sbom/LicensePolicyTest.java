package io.dynims.sbom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.sbom.LicensePolicy.Verified;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LicensePolicyTest {

  private final LicensePolicy policy =
      new LicensePolicy(
          List.of(new Verified("org.good:*", "MIT"), new Verified("org.bad:copyleft", "GPL-3.0")));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'license': {'id': 'Apache-2.0'}}",
        "{'license': {'id': 'GPL-2.0-only'}}, {'license': {'id': 'MIT'}}",
        "{'license': {'id': 'GPL-2.0-with-classpath-exception'}}",
        "{'expression': '(CDDL-1.0 OR GPL-2.0-only)'}"
      })
  void acceptsLibrariesWithOneAllowedLicense(String licenses) throws Exception {
    assertThat(policy.objection(component("org.example", licenses))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'license': {'id': 'GPL-2.0-only'}}",
        "{'license': {'id': 'AGPL-3.0-only'}}",
        "{'license': {'name': 'A licence of our own'}}",
        "{'expression': 'Apache-2.0 AND GPL-3.0-only'}",
        ""
      })
  void refusesOthersAndNamesThem(String licenses) throws Exception {
    assertThat(policy.objection(component("org.example", licenses)).orElseThrow())
        .startsWith("org.example:copyleft:1.2 ");
  }

  @Test
  void acceptsWhatWasLookedUp() throws Exception {
    assertThat(policy.objection(component("org.good", ""))).isEmpty();
  }

  @Test
  void refusesWhatWasLookedUpAndIsNotAllowed() throws Exception {
    assertThat(policy.objection(component("org.bad", "")))
        .contains("org.bad:copyleft:1.2 is licensed under [GPL-3.0]");
  }

  @Test
  void tellsWhichLookedUpLicenceNobodyNeeds() throws Exception {
    var declared = component("org.good", "{'license': {'id': 'MIT'}}");
    var undeclared = component("org.bad", "");

    assertThat(policy.unused(List.of(declared, undeclared))).containsExactly("org.good:*");
  }

  private static Component component(String group, String licenses) throws Exception {
    String json =
        "{'group': '%s', 'name': 'copyleft', 'version': '1.2', 'licenses': [%s]}"
            .formatted(group, licenses);
    return Component.of(new ObjectMapper().readTree(json.replace('\'', '"')));
  }
}
