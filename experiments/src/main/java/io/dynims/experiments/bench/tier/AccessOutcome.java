package io.dynims.experiments.bench.tier;

import java.util.List;

/**
 * How one process has carried out an order.
 *
 * @param openSeconds the time to open the file, of all passes
 * @param accessSeconds the time of all operations; what the process does between them, such as
 *     checking bytes, is not in it
 * @param closeSeconds the time to close the file, of all passes
 * @param micros the time of each operation, in their order
 * @param slowest the slowest operations, if they were watched
 * @param wrong how many blocks were read with wrong bytes
 * @param error what failed, and when; nothing after it was done. Null if nothing failed
 */
record AccessOutcome(
    double openSeconds,
    double accessSeconds,
    double closeSeconds,
    float[] micros,
    List<SlowAccess> slowest,
    int wrong,
    String error) {}
