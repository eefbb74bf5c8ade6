package io.dynims.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import alluxio.conf.Configuration;
import alluxio.util.ConfigurationUtils;
import alluxio.wire.WorkerInfo;
import alluxio.wire.WorkerNetAddress;
import java.io.IOException;
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
  void findsAWorkerByItsAddressWhateverItIsCalled() throws IOException {
    WorkerInfo other = worker("10.0.0.1", "", 29999);
    WorkerInfo ours = worker("localhost", "", 29999);

    assertThat(find("127.0.0.1", other, worker("localhost", "", 1), ours)).isSameAs(ours);
  }

  @Test
  void findsAWorkerByTheNameOfItsContainerOrNode() throws IOException {
    WorkerInfo other = worker("unknown.invalid", "10.0.0.1", 29999);
    WorkerInfo byContainer = worker("pod-7.invalid", "10.0.0.2", 29999);
    WorkerInfo byNode = worker("node-2", "", 29999);

    assertThat(find("10.0.0.2", other, byContainer)).isSameAs(byContainer);
    assertThat(find("10.0.0.2", other, byNode)).isSameAs(byNode);
  }

  @Test
  void saysHowToGoOnWithoutAWorkerThatCannotBeFound() {
    WorkerInfo other = worker("pod-7.invalid", "", 29999);

    assertThatThrownBy(() -> find("10.0.0.2", other))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("10.0.0.2:29999", "pod-7.invalid", "tier.max", "hostname");
  }

  private static WorkerInfo find(String host, WorkerInfo... live) throws IOException {
    return AlluxioClient.find(
        List.of(live), InetSocketAddress.createUnresolved(host, 29999), "node-2");
  }

  private static WorkerInfo worker(String host, String containerHost, int port) {
    return new WorkerInfo()
        .setAddress(
            new WorkerNetAddress().setHost(host).setContainerHost(containerHost).setRpcPort(port));
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
