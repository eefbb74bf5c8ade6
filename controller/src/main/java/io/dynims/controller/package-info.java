/** The controller: carries decisions to the tiers and shows the fleet. */
package io.dynims.controller;
