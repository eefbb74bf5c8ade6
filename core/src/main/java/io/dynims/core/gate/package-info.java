/** When a decision is pushed to a tier; free of any host. */
package io.dynims.core.gate;
