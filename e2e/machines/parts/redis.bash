# shellcheck shell=bash
# Part redis of e2e/machines/kubernetes.

check_redis() { check_server redis check_resize; }

# The release's test that resizes a tier, for which the controller asks for a token.
check_resize() {
  kubectl create secret generic http-token --namespace dynims --from-literal=token=change-me-as-well >/dev/null
  in_cluster "helm upgrade dynims dynims-$version.tgz --namespace dynims --reset-then-reuse-values --set tests.resize=true --set controller.tokenSecret=http-token --wait --timeout=10m" >/dev/null
  check_release
}

# Runs commands in the server's container, where values of 64 KiB are written or read by the server's own scripts, as no client is needed
# then. A hundred at a time, because a server that runs one answers nobody: in_redis SCRIPT
in_redis() {
  kubectl exec --namespace dynims --stdin redis-0 --container redis -- bash -euo pipefail -s $values "$1" <<'TEXT'
for ((from = 0; from < $1; from += 100)); do redis-cli --user default --pass change-me --no-auth-warning eval "$2" 0 $from $((from + 99)); done
TEXT
}
fill_redis() { in_redis 'for i = ARGV[1], ARGV[2] do redis.call("SET", "k" .. i, string.rep(string.format("%08d", i), 8192)) end' >/dev/null; }
read_redis() {
  in_redis 'local there, wrong = 0, 0
    for i = ARGV[1], ARGV[2] do
      local value = redis.call("GET", "k" .. i)
      if value then
        there = there + 1
        if value ~= string.rep(string.format("%08d", i), 8192) then wrong = wrong + 1 end
      end
    end
    return there .. " " .. wrong' | awk '{ there += $1; wrong += $2 } END { print there, wrong }'
}
