/** What every adapter has beside its store: settings, the Tier API, the guard, metrics. */
package io.dynims.adapter.runtime;
