package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.cli.simulate.InputException;
import io.dynims.cli.simulate.RecordingNotes;
import io.dynims.cli.stack.StackException;
import io.dynims.runtime.config.ConfigException;
import io.dynims.runtime.config.Program;
import io.dynims.simulation.TraceRecording;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "record",
    description =
        "Record a node's trace from the history of the controller, for ./dynims simulate.")
final class RecordTraceCommand implements Callable<Integer> {

  private final CliContext context;

  @Parameters(paramLabel = "NODE", description = "The node's name.")
  private String node;

  @Mixin private final HistoryOptions history = new HistoryOptions();

  @Option(names = "--output", paramLabel = "FILE", description = "Standard output if not given.")
  private Path output;

  RecordTraceCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws ConfigException, StackException, IOException, InterruptedException {
    try {
      TraceRecording recording = new TraceRecording(history.decisions(node, context));
      if (recording.rows().isEmpty()) {
        throw new StackException(
            "the controller has no decisions of '"
                + node
                + "' of that time that say what the tier"
                + " held; see ./dynims explain "
                + node);
      }
      write(recording);
      new RecordingNotes(recording)
          .lines(history.askedMillis(), System.currentTimeMillis())
          .forEach(note -> context.err().println("dynims: " + note));
      return 0;
    } catch (InputException e) {
      context.err().println("dynims: " + e.getMessage());
      return Program.EXIT_USAGE;
    }
  }

  private void write(TraceRecording recording) throws IOException {
    if (output != null) {
      try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(output))) {
        recording.print(out);
      }
    } else {
      PrintWriter out =
          new PrintWriter(new BufferedWriter(new OutputStreamWriter(context.out(), UTF_8)));
      recording.print(out);
      out.flush();
    }
  }
}
