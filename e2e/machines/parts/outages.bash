# shellcheck shell=bash
# Parts outages and nodes of e2e/machines/kubernetes.

check_outages() {
  start_node
  watch_alerts
  start_server redis
  check_kept '.paused == true' plugin pause redis
  plugin resume redis
  check_kept '.mode == "Recommend"' patch_tier redis '{"mode": "Recommend"}'
  patch_tier redis '{"mode": "Enforce"}'
  say "== without the API server"
  check_without_api_server
  check_end
  run_block helm uninstall in_cluster
  await "the release is gone" is_uninstalled
  kubectl get memorytiers,pods --namespace dynims
  check_values redis
  cluster down
}

# A tier that is not resized keeps its capacity during a burst: check_kept FACT COMMAND...
check_kept() {
  local before
  say "== $1"
  "${@:2}"
  await "$1" is_so "$1"
  await "the last push is in force" is_settled
  before=$(tier machine-1 .capacityBytes)
  burst "$(room 96)"
  await "the burst takes its memory" is_so '.utilization > .threshold and .desiredBytes < .capacityBytes'
  report "$1, in a burst"
  await "the burst ends" has_ended
  [ "$(tier machine-1 .capacityBytes)" = "$before" ] || fail "the tier was resized"
  kubectl delete pod burst --namespace dynims >/dev/null
  check_values redis
}
is_settled() {
  local before
  before=$(tier machine-1 .capacityBytes)
  sleep 1
  [ "$(tier machine-1 .capacityBytes)" = "$before" ]
}
is_running() { [ "$(phase "$1")" = Running ]; }

# The API server hangs for a minute; a burst begins ten seconds later. Only then is it known what the tiers do, from the controller itself.
check_without_api_server() {
  local server address begin=$SECONDS before least now size
  server=$(cut -d ' ' -f 1 "$work/cluster/control/pids/apiserver")
  address=$(kubectl get pods --namespace dynims --selector=app.kubernetes.io/component=controller --output=jsonpath='{.items[0].status.podIP}')
  before=$(tier machine-1 .capacityBytes) least=$before
  size=$(half_of_the_tier)
  burst "$size" 20000
  await "the burst has begun" is_running burst
  kill -s STOP "$server"
  while [ $((SECONDS - begin)) -lt 60 ]; do
    now=$(cluster run curl --silent --fail --max-time 2 "http://$address:8080/api/v1/tiers" | jq '.tiers[0].capacityBytes') || now=$least
    [ "$now" -ge "$least" ] || least=$now
    sleep 0.5
  done
  kill -s CONT "$server"
  say "a burst of $size MiB without an API server: the tier went from $((before >> 20)) to $((least >> 20)) MiB"
  await "the API server is back" kubectl get --raw /readyz >/dev/null
  # A node that could not report for a minute counts as lost, and its pods as not ready, until it reports again.
  await "the node is Ready again" is_node_ready machine-1
  kubectl rollout status --namespace dynims deployment/dynims-controller --timeout=5m >/dev/null
  report "as the API server is back"
  [ "$least" -lt $((before - (512 << 17))) ] || fail "the tier made no room"
  check_and_fill redis
  await "the tier is back" is_back machine-1 $((before / 4 * 3))
  kubectl delete pod burst --namespace dynims >/dev/null
  check_node
}
is_uninstalled() { [ -z "$(kubectl get pods --namespace dynims --selector=app.kubernetes.io/instance=dynims,app.kubernetes.io/component!=test --no-headers)" ]; }

check_nodes() {
  start_node 2
  watch_alerts
  # All but the second server runs on the first.
  kubectl cordon machine-2 >/dev/null
  start_server redis
  kubectl uncordon machine-2 >/dev/null
  kubectl scale statefulset redis --namespace dynims --replicas=2 >/dev/null
  await_ready
  enforce redis 1Gi
  await "the second server is resized" has_tiers 2
  await_tier redis
  report "two nodes"

  say "== a node is drained"
  kubectl drain machine-2 --ignore-daemonsets --delete-emptydir-data --force --timeout=5m >/dev/null
  await "its tier is gone" has_tiers 1
  report "drained"
  kubectl uncordon machine-2 >/dev/null
  await "it is back" has_tiers 2
  await_tier redis

  check_node
  say "== a node dies"
  cluster kill 2
  check_burst check_and_fill redis
  await "its loss is known" is_lost machine-2
  report "lost"
  cluster start 2
  await "it is back" has_tiers 2
  await_tier redis
  report "back"

  say "== a pod moves"
  kubectl scale statefulset redis --namespace dynims --replicas=1 >/dev/null
  await "the second server is gone" has_tiers 1
  kubectl cordon machine-1 >/dev/null
  kubectl delete pod redis-0 --namespace dynims >/dev/null
  await "the server is on the other node" is_on redis-0 machine-2
  await_tier redis
  report "moved"
  kubectl uncordon machine-1 >/dev/null
  check_memory
  check_end
  cluster down
}
# So many tiers answer.
has_tiers() { [ "$(tiers | jq '[.tiers[] | select(.state == "Enforcing")] | length')" = "$1" ]; }
is_node_ready() { [ "$(kubectl get node "$1" --output=jsonpath='{.status.conditions[?(@.type=="Ready")].status}')" = True ]; }
is_lost() { ! is_node_ready "$1"; }
is_on() { [ "$(kubectl get pod "$1" --namespace dynims --output=jsonpath='{.spec.nodeName} {.status.conditions[?(@.type=="Ready")].status}')" = "$2 True" ]; }
