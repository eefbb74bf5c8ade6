package io.dynims.controller.push;

import io.dynims.core.loop.PushGate;

/**
 * How adapters are called.
 *
 * @param timeoutMillis how long one request may take
 * @param idleMillis after how long without a target the tier is polled
 * @param gate when targets are pushed
 */
public record PushSettings(long timeoutMillis, long idleMillis, PushGate.Settings gate) {}
