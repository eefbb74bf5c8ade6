# shellcheck shell=bash
# Part memcached of e2e/machines/kubernetes.

check_memcached() {
  local items=15000
  start_node 5120
  run_block memcached install in_cluster
  # One node has room for one server. Registries cannot be reached: Debian's server of the same version in place of the image.
  kubectl scale statefulset memcached --namespace dynims --replicas=1 >/dev/null
  kubectl set image statefulset memcached --namespace dynims "memcached=dynims-memcached:$version" >/dev/null
  await_ready
  say "filling the tier"
  # The adapter starts with the least.
  patch_tier memcached '{"mode": "Enforce", "capacity": {"max": "1Gi"}}'
  await "the tier is at its largest" is_back machine-1 $((1000 << 20))
  fill_memcached $items
  enforce memcached 1Gi
  await_tier memcached
  kubectl get memorytiers --namespace dynims
  check_burst 512 check_and_fill_items $items
  check_items $items
  check_node
  check_end
  cluster down
}

# Runs a script in the server's container, whose shell speaks to it as no client is needed then: in_memcached ITEMS SCRIPT
in_memcached() { kubectl exec --namespace dynims --stdin memcached-0 --container memcached -- bash -euo pipefail -s "$1" <<<"exec 3<>/dev/tcp/127.0.0.1/11211; $2"; }
fill_memcached() {
  in_memcached "$1" "$(
    cat <<'TEXT'
awk -v items="$1" 'BEGIN {
  for (i = 0; i < items; i++) {
    value = sprintf("%08d", i)
    while (length(value) < 65536) value = value value
    printf "set k%d 0 0 65536 noreply\r\n%s\r\n", i, value
  }
  printf "quit\r\n"
}' >&3
cat <&3
TEXT
  )"
}
# Prints how many items are there, and how many of them are wrong.
read_memcached() {
  in_memcached "$1" "$(
    cat <<'TEXT'
awk -v items="$1" 'BEGIN { for (i = 0; i < items; i++) printf "get k%d\r\n", i; printf "quit\r\n" }' >&3 &
awk 'BEGIN { RS = "\r\n" }
  /^VALUE / {
    wanted = sprintf("%08d", substr($2, 2))
    while (length(wanted) < 65536) wanted = wanted wanted
    there++
    if ((getline value) <= 0 || value != wanted) wrong++
  }
  END { print there + 0, wrong + 0 }' <&3
TEXT
  )"
}

check_items() {
  local there wrong
  read -r there wrong < <(read_memcached "$1")
  say "of $1 items, $there are there, and $wrong are wrong"
  [ "$there" -gt 0 ] && [ "$wrong" = 0 ] || fail "memcached lost or changed data"
}
check_and_fill_items() {
  check_items "$1"
  fill_memcached "$1"
}
