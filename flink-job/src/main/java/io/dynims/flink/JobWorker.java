package io.dynims.flink;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.runtime.util.JvmShutdownSafeguard;
import org.apache.flink.runtime.util.SignalHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Flink's TaskManager, with TLS from PEM files. */
public final class JobWorker {

  private static final Logger LOG = LoggerFactory.getLogger(JobWorker.class);

  private JobWorker() {}

  /**
   * Accepts the options of a TaskManager, such as {@code --configDir DIR -Dkey=value}. The process
   * ends with it.
   *
   * @throws Exception when Flink's configuration cannot be used
   */
  public static void main(String[] args) throws Exception {
    EnvironmentInformation.logEnvironmentInfo(LOG, JobWorker.class.getSimpleName(), args);
    SignalHandler.register(LOG);
    JvmShutdownSafeguard.installAsShutdownHook(LOG);
    Configuration configuration = TaskManagerRunner.loadConfiguration(args);
    InternalTls.apply(configuration);
    TaskManagerRunner.runTaskManagerProcessSecurely(configuration);
  }
}
