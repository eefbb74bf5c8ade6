/** The definition, the chart and the operator on a real Kubernetes control plane. */
package io.dynims.cluster;
