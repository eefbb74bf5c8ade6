package io.dynims.cli.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Examines a node and what it works with. Looks at everything first, in parallel and for a limited
 * time; the checks then only judge what was seen, so none of them waits for a part that is away.
 * Changes nothing.
 */
public final class Doctor {

  private final DoctorOptions options;

  public Doctor(DoctorOptions options) {
    this.options = options;
  }

  /** Makes all checks; tells each result as it comes. */
  public List<Diagnosis> run(Consumer<Diagnosis> onDiagnosis) throws InterruptedException {
    return run(Observations.make(options), onDiagnosis);
  }

  /** Judges what was seen. */
  static List<Diagnosis> run(Observations seen, Consumer<Diagnosis> onDiagnosis) {
    List<Diagnosis> all = new ArrayList<>();
    for (Map.Entry<String, Supplier<Diagnosis>> each : checks(seen).entrySet()) {
      Diagnosis diagnosis = each.getValue().get().of(each.getKey());
      all.add(diagnosis);
      onDiagnosis.accept(diagnosis);
    }
    return all;
  }

  private static Map<String, Supplier<Diagnosis>> checks(Observations seen) {
    Map<String, Supplier<Diagnosis>> all = new LinkedHashMap<>();
    new NodeChecks(seen).addTo(all);
    new TierFolderChecks(seen).addTo(all);
    new WorkerChecks(seen).addTo(all);
    new AdapterChecks(seen).addTo(all);
    new TokenChecks(seen).addTo(all);
    new ControllerChecks(seen).addTo(all);
    new AgreementChecks(seen).addTo(all);
    new KafkaChecks(seen).addTo(all);
    return all;
  }
}
