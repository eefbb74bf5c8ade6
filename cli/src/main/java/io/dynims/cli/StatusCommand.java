package io.dynims.cli;

import io.dynims.cli.stack.PartStatus;
import io.dynims.cli.stack.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
    name = "status",
    description = "Show the state of every part; exit with 3 unless all are running.")
final class StatusCommand implements Callable<Integer> {

  static final int EXIT_NOT_ALL_RUNNING = 3;

  private final CliContext context;

  StatusCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    List<PartStatus> parts = context.stack().status();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("PART", "STATE", "PID", "UPTIME", "MEMORY", "ADDRESS"));
    parts.forEach(part -> rows.add(row(part)));
    Text.table(rows).forEach(context.out()::println);
    boolean all = parts.stream().allMatch(p -> p.state() == PartStatus.State.Running);
    return all ? 0 : EXIT_NOT_ALL_RUNNING;
  }

  private static List<String> row(PartStatus part) {
    boolean runs = part.pid() != 0;
    return List.of(
        part.part(),
        part.state().toString(),
        runs ? Long.toString(part.pid()) : "-",
        runs ? Text.millis(part.uptimeMillis()) : "-",
        runs ? Text.bytes(part.residentBytes()) : "-",
        part.address().isEmpty() ? "-" : part.address());
  }
}
