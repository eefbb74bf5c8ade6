package io.dynims.operator.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** An in-memory storage tier on a set of nodes, and how to size it. */
@Group(MemoryTier.GROUP)
@Version(MemoryTier.VERSION)
@ShortNames("mtier")
@AdditionalPrinterColumn(name = "Mode", jsonPath = ".status.mode")
@AdditionalPrinterColumn(
    name = "Nodes",
    jsonPath = ".status.nodes.total",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.nodes.ready",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Capacity", jsonPath = ".status.capacity.inForce")
@AdditionalPrinterColumn(name = "Used", jsonPath = ".status.capacity.used")
@AdditionalPrinterColumn(
    name = "Reason",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason",
    priority = 1)
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class MemoryTier extends CustomResource<MemoryTierSpec, MemoryTierStatus>
    implements Namespaced {

  public static final String GROUP = "dynims.io";
  public static final String VERSION = "v1alpha1";

  private static final long serialVersionUID = 1;
}
