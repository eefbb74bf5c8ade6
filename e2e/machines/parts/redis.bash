# shellcheck shell=bash
# Part redis of e2e/machines/kubernetes, and what other parts do with Redis.

check_redis() {
  start_node 5120
  start_redis
  kubectl get memorytiers --namespace dynims
  check_burst 512 check_and_fill
  check_keys
  check_node
  check_end
  cluster down
}

keys=15000

# Redis whose tier on machine-1 is full, and is resized. Other nodes have no server yet.
start_redis() {
  run_block redis install in_cluster
  # One node has room for one server. Registries cannot be reached: Debian's server in place of the same version's own image.
  kubectl scale statefulset redis --namespace dynims --replicas=1 >/dev/null
  kubectl set image statefulset redis --namespace dynims "redis=dynims-redis:$version" >/dev/null
  await_ready
  say "filling the tier"
  # The adapter starts with the least.
  patch_tier redis '{"mode": "Enforce", "capacity": {"max": "1Gi"}}'
  await "the tier is at its largest" is_back machine-1 $((1000 << 20))
  fill_redis
  enforce redis 1Gi
  await_tier redis
}

# Runs commands in the server's container, where keys KEYS of 64 KiB are written or read by the server's own scripts, as no client is needed
# then. A hundred at a time, because a server that runs one answers nobody: in_redis KEYS SCRIPT
in_redis() {
  kubectl exec --namespace dynims --stdin redis-0 --container redis -- bash -euo pipefail -s "$1" "$2" <<'TEXT'
for ((from = 0; from < $1; from += 100)); do redis-cli --user default --pass change-me --no-auth-warning eval "$2" 0 $from $((from + 99)); done
TEXT
}
fill_redis() { in_redis $keys 'for i = ARGV[1], ARGV[2] do redis.call("SET", "k" .. i, string.rep(string.format("%08d", i), 8192)) end' >/dev/null; }
# Prints how many keys are there, and how many of them are wrong.
read_redis() {
  in_redis $keys 'local there, wrong = 0, 0
    for i = ARGV[1], ARGV[2] do
      local value = redis.call("GET", "k" .. i)
      if value then
        there = there + 1
        if value ~= string.rep(string.format("%08d", i), 8192) then wrong = wrong + 1 end
      end
    end
    return there .. " " .. wrong' | awk '{ there += $1; wrong += $2 } END { print there, wrong }'
}

check_keys() {
  local there wrong
  read -r there wrong < <(read_redis)
  say "of $keys keys, $there are there, and $wrong are wrong"
  [ "$there" -gt 0 ] && [ "$wrong" = 0 ] || fail "Redis lost or changed data"
}
check_and_fill() {
  check_keys
  fill_redis
}
