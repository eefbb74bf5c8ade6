package io.dynims.controller.push;

/**
 * How adapters are called.
 *
 * @param timeoutMillis how long one request may take
 * @param leaseMillis how long a pushed capacity speaks for a living controller; never less than
 *     three intervals of the policy
 * @param idleMillis after how long without a target the tier is asked what is in force
 * @param heldMillis how long a tier that is to stay as it is may go without a push; 0 for not at
 *     all
 * @param tolerance the greatest change, as a part of the node's memory, that counts as none for
 *     that; from 0 to 1
 */
public record PushSettings(
    long timeoutMillis, long leaseMillis, long idleMillis, long heldMillis, double tolerance) {}
