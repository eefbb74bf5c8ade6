/** Checks from outside whether an adapter keeps the contract of the Tier API. */
package io.dynims.cli.check;
