package io.dynims.controller.push;

/**
 * How adapters are called.
 *
 * @param timeoutMillis how long one request may take
 * @param leaseMillis how long a pushed capacity speaks for a living controller
 * @param idleMillis after how long without a target the tier is asked what is in force
 */
public record PushSettings(long timeoutMillis, long leaseMillis, long idleMillis) {}
