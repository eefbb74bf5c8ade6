/** The state of every tier in the fleet. For use on the controller's event loop only. */
package io.dynims.controller.fleet;
