package io.dynims.experiments.bench.hostile;

/**
 * How much mischief, and for how long pushes are measured.
 *
 * @param connections how many connections the clients make at least; they go on while pushes are
 *     measured
 * @param streams how many readers open the event stream and never read
 * @param seconds how long pushes are measured without clients, and at least with them
 */
public record HostileOptions(int connections, int streams, int seconds) {}
