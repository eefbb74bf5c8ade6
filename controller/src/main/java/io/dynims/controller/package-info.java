/** The controller: its settings, its wiring, and the flow of policies and targets. */
package io.dynims.controller;
