/** What must hold after every step. */
package io.dynims.torture.rules;
