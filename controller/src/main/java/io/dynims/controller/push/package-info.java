/** Pushes each tier's newest decision to its adapter. */
package io.dynims.controller.push;
