package io.dynims.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpMethod;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadOnlyRestTest {

  @ParameterizedTest
  @CsvSource({
    "GET, /jobs/overview, true",
    "GET, /jobs/1f/metrics?get=a, true",
    "HEAD, /overview, true",
    "GET, /jobs/1f/yarn-cancel, false",
    "GET, /jobs/1f/YARN-CANCEL?x, false",
    "GET, /jobs/1f/yarn-stop, false",
    "GET, /jobs/1f/%79arn-cancel, false",
    "GET, /v1/jobs/1f/yarn-cancel, false",
    "PATCH, /jobs/1f, false",
    "POST, /jars/upload, false",
    "DELETE, /cluster, false",
    "OPTIONS, /jobs, false"
  })
  void onlyReadingIsAnswered(String method, String uri, boolean expected) {
    assertThat(ReadOnlyRest.isReading(HttpMethod.valueOf(method), uri)).isEqualTo(expected);
  }
}
