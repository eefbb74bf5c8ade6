package io.dynims.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = {
      "Print what completes these commands in your shell.",
      "",
      "bash: source <(./dynims completion bash)",
      "zsh:  source <(./dynims completion zsh)",
      ""
    })
final class CompletionCommand implements Callable<Integer> {

  enum Shell {
    bash,
    zsh
  }

  private final CliContext context;

  @Spec private CommandSpec spec;

  // One script suits both shells: it tells them apart when it runs.
  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
  @SuppressWarnings("UnusedVariable") // picocli checks it.
  private Shell shell;

  CompletionCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    // Shells look up ./dynims by its last part.
    context.out().print(AutoComplete.bash("dynims", spec.root().commandLine()));
    context.out().flush();
    return 0;
  }
}
