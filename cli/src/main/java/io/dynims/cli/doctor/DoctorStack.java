package io.dynims.cli.doctor;

import io.dynims.cli.stack.StackClients;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.cli.stack.StackStore;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Where the parts of a local stack are. */
public final class DoctorStack {

  private DoctorStack() {}

  /** What there is to examine, whether it runs or not. */
  public static DoctorTargets targets(StackHome home, StackSettings settings) {
    boolean alluxio = settings.store() == StackStore.Alluxio;
    return new DoctorTargets(
        Optional.of(settings.nodeName()),
        Optional.of(URI.create(settings.adapterUrl())),
        Optional.of(home.tierToken()),
        Optional.of(URI.create(settings.controllerUrl())),
        Optional.empty(),
        tls(home, settings),
        Optional.of(settings.kafkaAddress()),
        kafkaProperties(home, settings),
        Optional.empty(),
        alluxio ? Optional.of(home.blocks(settings.tierParent())) : Optional.empty(),
        alluxio ? webPort(settings, "alluxio.worker.web.port") : Optional.empty(),
        alluxio ? webPort(settings, "alluxio.master.web.port") : Optional.empty(),
        Optional.of(home.state()).filter(state -> state.toFile().isDirectory()));
  }

  private static Map<String, Object> kafkaProperties(StackHome home, StackSettings settings) {
    Map<String, Object> properties =
        new HashMap<>(new StackClients(home, settings).kafkaProperties());
    properties.remove("bootstrap.servers"); // Given apart.
    return properties;
  }

  /** Without its certificates, a stack with TLS shows itself as one that cannot be trusted. */
  private static Optional<SSLContext> tls(StackHome home, StackSettings settings) {
    try {
      return new StackClients(home, settings).tls();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<URI> webPort(StackSettings settings, String setting) {
    return Optional.of(URI.create("http://127.0.0.1:" + settings.port(setting)));
  }
}
