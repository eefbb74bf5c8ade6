package io.dynims.mpiio;

/**
 * The agent's answer to a request that it does not carry out.
 *
 * @param error why not
 */
record AgentError(String error) {}
