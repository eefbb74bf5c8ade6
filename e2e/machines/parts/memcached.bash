# shellcheck shell=bash
# Part memcached of e2e/machines/kubernetes.

check_memcached() { check_server memcached; }

# Runs a script in the server's container, whose shell speaks to it as no client is needed then: in_memcached SCRIPT
in_memcached() { kubectl exec --namespace dynims --stdin memcached-0 --container memcached -- bash -euo pipefail -s $values <<<"exec 3<>/dev/tcp/127.0.0.1/11211; $1"; }
fill_memcached() {
  in_memcached "$(
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
read_memcached() {
  in_memcached "$(
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
