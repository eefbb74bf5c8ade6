/** The Tier API: how DynIMS asks an in-memory store on a node to give memory back or take it. */
package io.dynims.tier;
