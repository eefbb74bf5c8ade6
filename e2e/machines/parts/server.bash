# shellcheck shell=bash
# What the parts of e2e/machines/kubernetes do with a server NAME that has its adapter beside it. fill_NAME writes values to it, and read_NAME prints how
# many are there, and how many of them are wrong.

# So many values of 64 KiB are a little less than the tier.
values=15000

# A burst beside a server, whose data is checked: check_server NAME [COMMAND...]
check_server() {
  start_node
  start_server "$1"
  kubectl get memorytiers --namespace dynims
  check_burst check_and_fill "$1"
  check_values "$1"
  check_node
  check_end
  "${@:2}"
  cluster down
}

# A server, whose tier is full, and is resized. Only one node has one: start_server NAME
start_server() {
  run_block "$1" install in_cluster
  own_server "$1"
  await_ready
  [ $virtual = no ] || go_back
  fill_tier "$1"
}

# Where all have the first node, only the server's new pod has the other one.
leave_the_rest_behind() {
  await "all pods have a node" have_nodes
  kubectl cordon machine-1 >/dev/null
  kubectl uncordon "machine-$node" >/dev/null
}
go_back() { kubectl uncordon machine-1 >/dev/null && kubectl cordon "machine-$node" >/dev/null; }
have_nodes() { [ -z "$(kubectl get pods --namespace dynims --field-selector=spec.nodeName= --no-headers)" ]; }

# One node has room for one server. Registries cannot be reached: Debian's server in place of the image of the same version.
own_server() {
  kubectl scale statefulset "$1" --namespace dynims --replicas=1 >/dev/null
  [ $virtual = no ] || leave_the_rest_behind
  kubectl set image statefulset "$1" --namespace dynims "$1=dynims-$1:$version" >/dev/null
}

fill_tier() {
  say "filling the tier"
  # The adapter starts with the least, and an earlier policy may leave no room.
  patch_tier "$1" '{"mode": "Enforce", "capacity": {"max": "1Gi"}, "memory": null'"$slow}"
  # It is a tenth of the node's memory ahead of what it holds, at most.
  await "the tier is at its largest" fill_further "$1"
  "fill_$1"
  enforce "$1" 1Gi
  await_tier "$1"
}

fill_further() { is_back "machine-$node" $((1000 << 20)) || { "fill_$1" && false; }; }

check_values() {
  local there wrong
  read -r there wrong < <("read_$1")
  say "of $values values, $there are there, and $wrong are wrong"
  [ "$there" -gt 0 ] && [ "$wrong" = 0 ] || fail "$1 lost or changed data"
}
check_and_fill() {
  check_values "$1"
  "fill_$1"
}
