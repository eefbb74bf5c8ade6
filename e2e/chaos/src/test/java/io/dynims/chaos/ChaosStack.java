package io.dynims.chaos;

import io.dynims.cli.stack.StackClients;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.experiments.bench.BenchStack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The real stack that faults are made on. */
final class ChaosStack implements AutoCloseable {

  static final String NODE = "chaos-1";
  static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();

  private static final Path FOLDER = Path.of("target/chaos").toAbsolutePath();

  private final BenchStack stack;
  private final StackSettings settings;
  private final Map<String, StackPart> parts = new LinkedHashMap<>();
  private final Witness witness;

  /** Starts everything. */
  ChaosStack() throws Exception {
    stack = new BenchStack(new StackHome(PROJECT, FOLDER), System.getenv(), false, System.out);
    try {
      stack.up(List.of("node.name=" + NODE, "policy.mode=Enforce"));
      settings = stack.settings();
      for (String name : stack.stack().names()) {
        parts.put(name, new StackPart(stack.home(), name));
      }
      witness = new Witness(stack.home(), settings);
    } catch (Exception e) {
      stack.close();
      throw e;
    }
  }

  StackHome home() {
    return stack.home();
  }

  StackSettings settings() {
    return settings;
  }

  /** How to reach its parts. */
  StackClients clients() {
    return new StackClients(home(), settings);
  }

  Witness witness() {
    return witness;
  }

  /** A part by its name: kafka, alluxio-worker, adapter, controller, flink, collectd. */
  StackPart part(String name) {
    return parts.get(name);
  }

  /** Lets every part go on, and starts those that are not alive: what an earlier fault has left. */
  void repair() throws IOException, InterruptedException {
    for (StackPart part : parts.values()) {
      part.thaw();
      if (!part.isAlive()) {
        part.start();
      }
    }
  }

  /** The document that the controller reads. */
  Path policyFile() {
    return home().policies().resolve("alluxio.yaml");
  }

  /** The folder of the tier's blocks, whose file system holds nothing but memory. */
  Path tierFolder() {
    return home().tier(settings.tierParent());
  }

  @Override
  public void close() throws Exception {
    witness.close();
    for (StackPart part : parts.values()) {
      part.thaw();
    }
    stack.close();
  }
}
