/** Carries each node's newest decision to its adapter. */
package io.dynims.controller.push;
