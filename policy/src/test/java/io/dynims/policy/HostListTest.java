package io.dynims.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostListTest {

  @ParameterizedTest(name = "{index}: {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "node-1 | node-1",
        "node1,login | node1 login",
        " node1 , login | node1 login",
        "node[1-3] | node1 node2 node3",
        "node[7] | node7",
        "node[08-11] | node08 node09 node10 node11",
        "node[001,010-011] | node001 node010 node011",
        "node[9-11] | node9 node10 node11",
        "node[1-2].cluster | node1.cluster node2.cluster",
        "r[1-2]n[01-02] | r1n01 r1n02 r2n01 r2n02",
        "[1-2] | 1 2",
        "gpu[1-2],cpu[3,5] | gpu1 gpu2 cpu3 cpu5",
        "n[0-0] | n0",
        "n[99-101] | n99 n100 n101"
      })
  void bracketsStandForNumbers(String text, String hosts) {
    assertThat(HostList.expand(text)).containsExactlyElementsOf(List.of(hosts.split(" ", -1)));
  }

  @ParameterizedTest(name = "{index}: {0}")
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      quoteCharacter = '`',
      value = {
        "``|at character 1: a name is missing",
        "a,|at character 3: a name is missing",
        "a,,b|at character 3: a name is missing",
        "a b|at character 3: a comma is missing before 'b'",
        "node[1-3|at character 5: '[' is not closed",
        "node1-3]|at character 8: ']' has no '[' before it",
        "node[]|at character 6: a number is missing",
        "node[1-]|at character 8: a number is missing",
        "node[1,]|at character 8: a number is missing",
        "node[a-c]|at character 6: a number is missing",
        "node[1-3-5]|at character 9: '-' is not a number, '-', ',' or ']'",
        "node[1-3 ]|at character 9: ' ' is not a number, '-', ',' or ']'",
        "node[[1-3]]|at character 6: a number is missing",
        "node[3-1]|at character 6: the range 3-1 ends before it begins",
        "node[10-9]|at character 6: the range 10-9 ends before it begins",
        "node[1-010]|at character 6: 1 and 010 do not have as many digits",
        "node[1-1234567890]|at character 8: the number has more than 9 digits",
        "a,node[0-999999999]|at character 3: the list has more than 100000 hosts",
        "r[1-1000]n[1-1000]|at character 1: the list has more than 100000 hosts",
        "a[1-60000],b[1-60000]|at character 12: the list has more than 100000 hosts"
      })
  void whatIsWrongIsToldWithItsPlace(String text, String message) {
    assertThatThrownBy(() -> HostList.expand(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void asManyHostsAsAreAllowedAreExpanded() {
    assertThat(HostList.expand("n[00001-99999],last")).hasSize(HostList.MAX_HOSTS).endsWith("last");
  }
}
