/** What is known about every tier of the fleet; for use on the controller's event loop only. */
package io.dynims.controller.fleet;
