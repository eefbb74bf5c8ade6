package io.dynims.runtime.config;

import java.io.PrintStream;
import java.util.Map;

/** Runs a program's {@code main}: help, settings, exit codes. */
public final class Program {

  public static final int EXIT_FAILED = 1;
  public static final int EXIT_USAGE = 2;

  /** Starts the program and returns; the program's own threads keep it running. */
  public interface Start {
    /**
     * Reads the settings, calls {@link Config#check}, and starts.
     *
     * @throws Exception when it cannot start; the message is what the user sees
     */
    void start(Config config) throws Exception;
  }

  private final String name;
  private final String purpose;
  private final String documentedSettings;

  /**
   * A program.
   *
   * @param name the program's name on the command line
   * @param purpose one sentence
   * @param documentedSettings the text of its bundled settings file
   */
  public Program(String name, String purpose, String documentedSettings) {
    this.name = name;
    this.purpose = purpose;
    this.documentedSettings = documentedSettings;
  }

  /** Runs the program; exits with 2 on invalid settings and 1 if it cannot start. */
  public void main(String[] args, Start start) {
    int exitCode = run(args, System.getenv(), System.out, System.err, start);
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  int run(
      String[] args,
      Map<String, String> environment,
      PrintStream out,
      PrintStream err,
      Start start) {
    if (args.length == 1 && (args[0].equals("--help") || args[0].equals("-h"))) {
      out.println(help());
      return 0;
    }
    try {
      start.start(Config.read(documentedSettings, args, environment));
      return 0;
    } catch (ConfigException e) {
      e.getMessage().lines().forEach(line -> err.println(name + ": " + line));
      return EXIT_USAGE;
    } catch (Exception e) {
      err.println(name + ": " + (e.getMessage() == null ? e.toString() : e.getMessage()));
      return EXIT_FAILED;
    }
  }

  private String help() {
    return "usage: "
        + name
        + " [--config FILE] [--KEY=VALUE ...]\n\n"
        + purpose
        + "\n\nSettings, as KEY = ${ENVIRONMENT_VARIABLE:default}:\n\n"
        + documentedSettings.stripTrailing();
  }
}
