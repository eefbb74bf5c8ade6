package io.dynims.tier;

import io.dynims.core.wire.Target;
import java.util.List;

/**
 * The body of an answer of {@code GET /v1/tier/decisions}.
 *
 * @param decisions what the guard on the node decided, oldest first
 */
public record GuardDecisions(List<Target> decisions) {}
