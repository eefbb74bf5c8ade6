package io.dynims.controller;

import io.dynims.policy.PolicyError;
import io.dynims.policy.PolicySet;
import io.dynims.policy.files.PolicyFiles;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.Program;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Starts the controller. */
public final class ControllerMain {

  private static final Logger LOG = LogManager.getLogger(ControllerMain.class);
  private static final long STOP_SECONDS = 5;

  private ControllerMain() {}

  /** Runs until the process is asked to stop. */
  public static void main(String[] args) {
    new Program(
            "dynims-controller",
            "Pushes the capacities that the job decides to the tiers, and serves the REST API.",
            Config.resource(ControllerMain.class, "controller.properties"))
        .main(args, ControllerMain::start);
  }

  private static void start(Config config) throws Exception {
    ControllerSettings settings = ControllerSettings.read(config);
    if (settings.policiesCheck()) {
      check(settings.policies());
      return;
    }
    Vertx vertx = vertx();
    Controller controller = new Controller(settings, Clock.systemUTC());
    try {
      vertx.deployVerticle(controller).toCompletionStage().toCompletableFuture().get();
    } catch (ExecutionException e) {
      vertx.close();
      throw new IOException(message(e.getCause(), settings), e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(vertx), "stop"));
    LOG.info(
        "listening on {}:/{}",
        settings.access().tls().isPresent() ? "https" : "http",
        settings.address());
  }

  private static String message(Throwable failure, ControllerSettings settings) {
    if (failure instanceof SocketException) {
      return "cannot listen on " + settings.address() + ": " + failure.getMessage();
    }
    return failure instanceof IOException ? failure.getMessage() : rootMessage(failure);
  }

  private static String rootMessage(Throwable failure) {
    return failure.getCause() == null ? failure.getMessage() : rootMessage(failure.getCause());
  }

  /** Validates the policy documents. */
  private static void check(List<Path> policies) throws IOException {
    PolicyFiles files = new PolicyFiles(policies);
    files.scan();
    PolicySet found = files.scan().set();
    if (!found.errors().isEmpty()) {
      throw new IOException(
          found.errors().stream().map(PolicyError::toString).collect(Collectors.joining("\n")));
    }
    String names = policies.stream().map(Path::toString).collect(Collectors.joining(", "));
    System.out.println(names + ": " + found.tiers().size() + " tiers, no errors");
  }

  /** A Vert.x that extracts no files into the temporary directory. */
  static Vertx vertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false)));
  }

  private static void stop(Vertx vertx) {
    try {
      vertx.close().toCompletionStage().toCompletableFuture().get(STOP_SECONDS, TimeUnit.SECONDS);
      LOG.info("stopped");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("did not stop in time: {}", e.toString());
    }
    LogManager.shutdown();
  }
}
