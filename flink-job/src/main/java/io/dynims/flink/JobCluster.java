package io.dynims.flink;

import io.dynims.runtime.config.Config;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.client.deployment.application.ApplicationClusterEntryPoint;
import org.apache.flink.client.deployment.application.ApplicationDispatcherLeaderProcessFactoryFactory;
import org.apache.flink.client.program.PackagedProgram;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.dispatcher.DispatcherGateway;
import org.apache.flink.runtime.dispatcher.SessionDispatcherFactory;
import org.apache.flink.runtime.dispatcher.runner.DefaultDispatcherRunnerFactory;
import org.apache.flink.runtime.entrypoint.EntrypointClusterConfiguration;
import org.apache.flink.runtime.entrypoint.component.DefaultDispatcherResourceManagerComponentFactory;
import org.apache.flink.runtime.entrypoint.component.DispatcherResourceManagerComponentFactory;
import org.apache.flink.runtime.messages.webmonitor.MultipleJobsDetails;
import org.apache.flink.runtime.resourcemanager.StandaloneResourceManagerFactory;
import org.apache.flink.runtime.rest.ApplicationRestEndpointFactory;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.runtime.util.SignalHandler;
import org.apache.flink.runtime.webmonitor.retriever.GatewayRetriever;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A JobManager that runs only this job: Flink's application mode. Flink ships its own entry point
 * for it in its distribution only, not in its jars.
 */
public final class JobCluster extends ApplicationClusterEntryPoint {

  private static final Logger LOG = LoggerFactory.getLogger(JobCluster.class);
  private static final Duration TIMEOUT = Duration.ofMillis(ReadyFile.POLL_MILLIS);

  private final PackagedProgram job;
  private final Optional<Path> readyFile;

  private JobCluster(Configuration configuration, PackagedProgram job, Optional<Path> readyFile) {
    super(configuration, job, StandaloneResourceManagerFactory.getInstance());
    this.job = job;
    this.readyFile = readyFile;
  }

  /**
   * Accepts the options of a session's JobManager, such as {@code --configDir DIR -Dkey=value},
   * followed by the job's own options.
   *
   * @throws Exception when Flink's configuration or the job's settings cannot be used
   */
  public static void main(String[] args) throws Exception {
    EnvironmentInformation.logEnvironmentInfo(LOG, JobCluster.class.getSimpleName(), args);
    SignalHandler.register(LOG);
    EntrypointClusterConfiguration given = parseArguments(args);
    Configuration configuration = loadConfiguration(given);
    InternalTls.apply(configuration);
    PackagedProgram job =
        PackagedProgram.newBuilder()
            .setEntryPointClassName(DynimsJob.class.getName())
            .setArguments(given.getArgs())
            .setConfiguration(configuration)
            .build();
    configureExecution(configuration, job);
    Config settings = Config.read(JobSettings.documented(), given.getArgs(), System.getenv());
    runClusterEntrypoint(new JobCluster(configuration, job, JobSettings.of(settings).readyFile()));
  }

  /** As Flink makes them; whoever serves REST learns of the jobs, and so may keep the file. */
  @Override
  protected DispatcherResourceManagerComponentFactory
      createDispatcherResourceManagerComponentFactory(Configuration configuration) {
    return new DefaultDispatcherResourceManagerComponentFactory(
        new DefaultDispatcherRunnerFactory(
            ApplicationDispatcherLeaderProcessFactoryFactory.create(
                configuration, SessionDispatcherFactory.INSTANCE, job)),
        StandaloneResourceManagerFactory.getInstance(),
        (flink, dispatcher, resources, blobs, executor, metrics, election, errors) -> {
          readyFile.ifPresent(file -> ReadyFile.keep(file, () -> runs(dispatcher)));
          return ApplicationRestEndpointFactory.INSTANCE.createRestEndpoint(
              flink, dispatcher, resources, blobs, executor, metrics, election, errors);
        });
  }

  private static CompletableFuture<Boolean> runs(GatewayRetriever<DispatcherGateway> dispatcher) {
    return dispatcher
        .getNow()
        .map(jobs -> jobs.requestMultipleJobDetails(TIMEOUT).thenApply(JobCluster::runs))
        .orElse(CompletableFuture.completedFuture(false));
  }

  /** Whether there is a job and every task of it runs: while a slot is missing, none decides. */
  static boolean runs(MultipleJobsDetails jobs) {
    return !jobs.getJobs().isEmpty()
        && jobs.getJobs().stream()
            .allMatch(
                job ->
                    job.getStatus() == JobStatus.RUNNING
                        && job.getTaskInfo().get("running") == job.getNumTasks());
  }
}
