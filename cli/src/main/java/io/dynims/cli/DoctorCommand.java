package io.dynims.cli;

import io.dynims.cli.doctor.Diagnosis;
import io.dynims.cli.doctor.Diagnosis.Verdict;
import io.dynims.cli.doctor.Doctor;
import io.dynims.cli.doctor.DoctorOptions;
import io.dynims.cli.doctor.DoctorStack;
import io.dynims.cli.doctor.DoctorTargets;
import io.dynims.core.quantity.Quantities;
import io.dynims.policy.ClaimedNode;
import io.dynims.runtime.config.ConfigException;
import io.dynims.runtime.config.Program;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dynims doctor}: what is wrong on this node and around it, and how to mend it. */
@Command(
    name = "doctor",
    description = {
      "Find what is wrong with this node, its tier, and the services that they need.",
      "",
      "One line for each check: ok, warning, error or skipped, its name, and what was seen; below"
          + " it the command or the setting that mends it. Run it on the node. Without options it"
          + " examines the local stack, if there is one; with any address, only what is named."
          + " Changes nothing, and goes on while controller, adapter or Kafka are away. On"
          + " Kubernetes: kubectl dynims doctor. See docs/troubleshooting.md.",
      ""
    },
    footer = {"", "Exit codes: 0 no error; 1 an error; 2 wrong arguments."})
final class DoctorCommand implements Callable<Integer> {

  private final CliContext context;

  @Spec private CommandSpec spec;

  @Option(names = "--node", paramLabel = "NAME", description = "The node's name in policies.")
  private String node;

  @Option(
      names = "--adapter",
      paramLabel = "URL",
      description = "The node's adapter, such as http://127.0.0.1:7070.")
  private String adapter;

  @Mixin private TierAccessOptions access;

  @Option(
      names = "--controller",
      paramLabel = "URL",
      description = "The controller, such as http://127.0.0.1:8080.")
  private String controller;

  @Option(
      names = "--controller-token-file",
      paramLabel = "FILE",
      description = "The token that the controller asks for (its http.token.file).")
  private Path controllerTokenFile;

  @Option(
      names = "--bootstrap",
      paramLabel = "HOST:PORT",
      description = "The Kafka brokers (bootstrap.servers).")
  private String bootstrap;

  @Option(
      names = "--kafka-properties",
      paramLabel = "FILE",
      description = "What a client of the brokers needs besides, such as TLS and SASL.")
  private Path kafkaProperties;

  @Option(
      names = "--kafka-role",
      paramLabel = "ROLE",
      description =
          "Whose credentials these are: agent, controller or job. Their rights are then compared with"
              + " what the role needs.")
  private KafkaRole kafkaRole;

  @Option(
      names = "--tier-dir",
      paramLabel = "FOLDER",
      description = "The folder of the tier's data (tier.directory of the Alluxio adapter).")
  private Path tierDirectory;

  @Option(
      names = "--worker",
      paramLabel = "URL",
      description = "The Alluxio worker's web port, such as http://127.0.0.1:30000.")
  private String worker;

  @Option(
      names = "--master",
      paramLabel = "URL",
      description = "The Alluxio master's web port, such as http://127.0.0.1:19999; with --worker.")
  private String master;

  @Option(
      names = "--state-dir",
      paramLabel = "FOLDER",
      description = "The folder of what is kept on the disk, such as that of state.file.")
  private Path stateDirectory;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "5s",
      description =
          "The longest wait for one answer; three times that for all of one program."
              + " Default: ${DEFAULT-VALUE}.")
  private String timeout;

  @Mixin private ReportFormat format;

  enum KafkaRole {
    agent,
    controller,
    job
  }

  DoctorCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws ConfigException, IOException, InterruptedException {
    Optional<DoctorTargets> given = given();
    DoctorTargets targets = given.isPresent() ? given.get() : stack();
    DoctorOptions options =
        new DoctorOptions(
            targets,
            given.isEmpty(),
            Path.of("/"),
            context.project().resolve("dist/kafka/acls.csv"),
            Clock.systemUTC(),
            timeout());
    List<Diagnosis> all =
        new Doctor(options)
            .run(
                diagnosis -> {
                  if (format.isText()) {
                    context.out().println(diagnosis.lines());
                  }
                });
    return report(all);
  }

  private Integer report(List<Diagnosis> all) throws IOException {
    boolean passed = count(all, Verdict.error) == 0;
    if (!format.isText()) {
      context.out().println(format.json(Map.of(), passed, all));
    } else {
      context
          .out()
          .printf(
              "%d checks: %d ok, %d warnings, %d errors, %d skipped%n",
              all.size(),
              count(all, Verdict.ok),
              count(all, Verdict.warning),
              count(all, Verdict.error),
              count(all, Verdict.skipped));
    }
    return passed ? 0 : Program.EXIT_FAILED;
  }

  private static long count(List<Diagnosis> all, Verdict verdict) {
    return all.stream().filter(diagnosis -> diagnosis.verdict() == verdict).count();
  }

  /** The local stack, with what the options say about it. */
  private DoctorTargets stack() throws ConfigException {
    if (!Files.isDirectory(context.home().state())) {
      throw refused(
          "there is no local stack in %s: name what to examine, such as --adapter URL"
              .formatted(context.home().state()));
    }
    return DoctorStack.targets(context.home(), context.settings());
  }

  /** What the options name; empty if they name nothing. */
  private Optional<DoctorTargets> given() {
    DoctorTargets targets =
        new DoctorTargets(
            Optional.ofNullable(node),
            address("--adapter", adapter),
            access.tokenFile(),
            address("--controller", controller),
            Optional.ofNullable(controllerTokenFile),
            access.tls(),
            Optional.ofNullable(bootstrap),
            kafkaProperties(),
            Optional.ofNullable(kafkaRole).map(KafkaRole::name),
            Optional.ofNullable(tierDirectory),
            address("--worker", worker),
            address("--master", master),
            Optional.ofNullable(stateDirectory));
    boolean isNamed =
        spec.commandLine().getParseResult().matchedOptions().stream()
            .anyMatch(option -> !List.of("--timeout", "--output").contains(option.longestName()));
    return isNamed ? Optional.of(targets) : Optional.empty();
  }

  private Optional<URI> address(String option, String url) {
    try {
      return Optional.ofNullable(url).map(text -> ClaimedNode.address(text.replaceAll("/+$", "")));
    } catch (IllegalArgumentException e) {
      throw refused(option + ": " + e.getMessage());
    }
  }

  private Map<String, Object> kafkaProperties() {
    Map<String, Object> all = new HashMap<>();
    if (kafkaProperties != null) {
      Properties properties = new Properties();
      try (Reader reader = Files.newBufferedReader(kafkaProperties)) {
        properties.load(reader);
      } catch (IOException | IllegalArgumentException e) {
        throw refused("--kafka-properties: cannot read " + kafkaProperties + ": " + e);
      }
      properties.stringPropertyNames().forEach(name -> all.put(name, properties.getProperty(name)));
    }
    return all;
  }

  private Duration timeout() {
    try {
      long millis = Quantities.millis(timeout);
      if (millis > 0) {
        return Duration.ofMillis(millis);
      }
    } catch (IllegalArgumentException e) {
      throw refused("--timeout: " + e.getMessage());
    }
    throw refused("--timeout: '" + timeout + "' is not above 0");
  }

  private ParameterException refused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
