package io.dynims.flink;

import org.apache.flink.client.deployment.application.ApplicationClusterEntryPoint;
import org.apache.flink.client.program.PackagedProgram;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.entrypoint.EntrypointClusterConfiguration;
import org.apache.flink.runtime.resourcemanager.StandaloneResourceManagerFactory;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.runtime.util.SignalHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A JobManager that runs only this job: Flink's application mode. Flink ships its own entry point
 * for it in its distribution only, not in its jars.
 */
public final class JobCluster extends ApplicationClusterEntryPoint {

  private static final Logger LOG = LoggerFactory.getLogger(JobCluster.class);

  private JobCluster(Configuration configuration, PackagedProgram job) {
    super(configuration, job, StandaloneResourceManagerFactory.getInstance());
  }

  /**
   * Accepts the options of a session's JobManager, such as {@code --configDir DIR -Dkey=value},
   * followed by the job's own options.
   *
   * @throws Exception when Flink's configuration cannot be used
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
    runClusterEntrypoint(new JobCluster(configuration, job));
  }
}
