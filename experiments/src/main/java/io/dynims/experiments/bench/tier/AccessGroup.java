package io.dynims.experiments.bench.tier;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processes that use one interface at the same time: all open, then all access, then all close. */
final class AccessGroup implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PHASES = 3;

  /**
   * What a process is.
   *
   * @param enter what starts a program on its node; empty on this one
   * @param arguments of {@link AccessWorker}
   */
  record Worker(List<String> enter, List<String> arguments) {}

  /** One process, with the ends of its pipes. */
  private record Member(Process process, BufferedWriter to, BufferedReader from) {

    void tell(String line) throws IOException {
      to.write(line);
      to.newLine();
      to.flush();
    }

    String hear() throws IOException {
      String line = from.readLine();
      if (line == null) {
        throw new EOFException("a process of the study has ended; its log says why");
      }
      return line;
    }
  }

  private final List<Member> members = new ArrayList<>();

  /**
   * Starts the processes.
   *
   * @param workers what each is, in turn
   * @param log where their errors go
   * @param counter the file in which the under store counts accesses
   */
  AccessGroup(int processes, List<Worker> workers, Path log, Path counter) throws IOException {
    for (int i = 0; i < processes; i++) {
      Worker worker = workers.get(i % workers.size());
      List<String> command = new ArrayList<>(worker.enter());
      command.addAll(java(counter));
      command.addAll(worker.arguments());
      Process process =
          new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())).start();
      members.add(
          new Member(
              process,
              new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8)),
              new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))));
    }
  }

  private static List<String> java(Path counter) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx256m",
        "-XX:+UseSerialGC",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
        "-D" + AccessWatch.COUNTER + "=" + (Files.exists(counter) ? counter : ""),
        "-cp",
        System.getProperty("java.class.path"),
        AccessWorker.class.getName());
  }

  int size() {
    return members.size();
  }

  /**
   * Carries out orders.
   *
   * @param orders one for each process
   * @throws IOException if a process has ended
   */
  List<AccessOutcome> run(List<AccessOrder> orders) throws IOException {
    for (int i = 0; i < members.size(); i++) {
      members.get(i).tell(JSON.writeValueAsString(orders.get(i)));
    }
    for (int phase = 0; phase < PHASES; phase++) {
      for (Member member : members) {
        member.hear();
      }
      for (Member member : members) {
        member.tell("go");
      }
    }
    List<AccessOutcome> outcomes = new ArrayList<>();
    for (Member member : members) {
      outcomes.add(JSON.readValue(member.hear(), AccessOutcome.class));
    }
    return outcomes;
  }

  /** The end of their input ends them. */
  @Override
  public void close() throws InterruptedException {
    for (Member member : members) {
      try {
        member.to().close();
      } catch (IOException e) {
        member.process().destroy();
      }
    }
    for (Member member : members) {
      member.process().destroy();
      member.process().waitFor();
    }
  }
}
