/** The Tier API: how DynIMS asks the in-memory store of a node for another capacity. */
package io.dynims.tier;
