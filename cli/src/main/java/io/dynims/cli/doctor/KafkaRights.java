package io.dynims.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;

/** Whether credentials can do what their role needs, and nothing else. */
final class KafkaRights {

  /** What can do harm; the others show settings only. */
  private static final Set<AclOperation> HARMFUL =
      EnumSet.of(
          AclOperation.READ,
          AclOperation.WRITE,
          AclOperation.DELETE,
          AclOperation.ALTER,
          AclOperation.ALTER_CONFIGS);

  private final DoctorOptions options;

  KafkaRights(DoctorOptions options) {
    this.options = options;
  }

  Diagnosis diagnose(Map<String, KafkaFacts.Topic> topics) {
    Optional<String> role = options.targets().kafkaRole();
    if (role.isEmpty()) {
      return Diagnosis.skipped("no --kafka-role");
    }
    try {
      return diagnose(role.get(), topics, needed(options.rights(), role.get()));
    } catch (IOException e) {
      return Diagnosis.skipped("cannot read " + options.rights());
    }
  }

  private static Diagnosis diagnose(
      String role, Map<String, KafkaFacts.Topic> topics, Map<String, Set<AclOperation>> needed) {
    List<String> missing = new ArrayList<>();
    List<String> beyond = new ArrayList<>();
    for (String topic : KafkaFacts.TOPICS) {
      Set<AclOperation> needs = needed.getOrDefault(topic, Set.of());
      Set<AclOperation> has =
          topics.containsKey(topic) ? topics.get(topic).operations() : Set.<AclOperation>of();
      for (AclOperation operation : AclOperation.values()) {
        if (needs.contains(operation) && !has.contains(operation)) {
          missing.add(operation + " " + topic);
        } else if (has.contains(operation)
            && !needs.contains(operation)
            && HARMFUL.contains(operation)) {
          beyond.add(operation + " " + topic);
        }
      }
    }
    String remedy = "dist/kafka/acl-commands BROKERS prints the commands that grant what is needed";
    if (!missing.isEmpty()) {
      return Diagnosis.error(
          "the role %s may not: %s".formatted(role, String.join(", ", missing)), remedy);
    }
    return beyond.isEmpty()
        ? Diagnosis.ok("the credentials can do what %s needs, and nothing else".formatted(role))
        : Diagnosis.warning(
            "the role %s needs none of: %s".formatted(role, String.join(", ", beyond)),
            remedy + "; and let the brokers enforce them (authorizer.class.name)");
  }

  /** The operations on topics of a role, from a table of role, resource, name and operations. */
  private static Map<String, Set<AclOperation>> needed(Path table, String role) throws IOException {
    Map<String, Set<AclOperation>> needed = new HashMap<>();
    for (String line : Files.readAllLines(table)) {
      String[] fields = line.split(",", -1);
      if (fields.length == 4 && fields[0].equals(role) && fields[1].equals("topic")) {
        Set<AclOperation> operations = EnumSet.noneOf(AclOperation.class);
        for (String operation : fields[3].strip().split(" ", -1)) {
          operations.add(AclOperation.valueOf(operation.toUpperCase(Locale.ROOT)));
        }
        needed.put(fields[2], operations);
      }
    }
    return needed;
  }
}
