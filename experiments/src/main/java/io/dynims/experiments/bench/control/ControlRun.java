package io.dynims.experiments.bench.control;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Target;
import io.dynims.experiments.demo.LoadProcess;
import io.dynims.experiments.demo.UtilizationTrace;
import java.util.List;

/**
 * What was recorded of one load under one law. Times are epoch milliseconds by this machine's
 * clock.
 *
 * @param repetition from 1
 * @param budgetBytes M
 * @param threshold r0
 * @param fromMillis the start of what is measured
 * @param toMillis its end
 * @param node the node's memory in use
 * @param tier the memory that the tier's data occupies
 * @param reports what the load held, the first report before {@code fromMillis}
 * @param targets the decisions, in order, some from before {@code fromMillis}
 * @param acks the acknowledgements, in order, some from before {@code fromMillis}
 * @param readsCorrect blocks read with the correct bytes
 * @param readsWrong blocks read with wrong bytes, or not readable, on the way to the starting
 *     point, too
 * @param startReached whether the tier was at its starting point
 */
record ControlRun(
    LawType law,
    ControlLoad load,
    int repetition,
    long budgetBytes,
    double threshold,
    long fromMillis,
    long toMillis,
    UtilizationTrace node,
    UtilizationTrace tier,
    List<LoadProcess.Report> reports,
    List<Target> targets,
    List<Ack> acks,
    long readsCorrect,
    long readsWrong,
    boolean startReached) {}
