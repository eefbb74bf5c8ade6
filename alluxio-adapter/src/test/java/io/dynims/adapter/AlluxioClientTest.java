package io.dynims.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import alluxio.conf.Configuration;
import alluxio.util.ConfigurationUtils;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AlluxioClientTest {

  @AfterEach
  void restore() {
    Configuration.reloadProperties();
  }

  @Test
  void asksEachOfSeveralMasters() {
    AlluxioClient.configure(
        List.of(
            InetSocketAddress.createUnresolved("master-0", 19998),
            InetSocketAddress.createUnresolved("master-1", 19999)));

    assertThat(ConfigurationUtils.getMasterRpcAddresses(Configuration.global()))
        .extracting(each -> each.getHostString() + ":" + each.getPort())
        .containsExactly("master-0:19998", "master-1:19999");
  }
}
