# A Docker engine of its own, without a registry, for tests; e2e/compose-verify and e2e/guides source this. They set
#   project    the project's folder
#   run        the folder of what lives only as long as the engine
#   namespace  the network namespace of the engine that runs containers
#   packages   the Debian packages that the test needs
# and have two functions: containers lists the ids of the test's containers, and remove_containers takes away what an
# earlier run has left on the engine.
# shellcheck shell=bash

# The base image, and the images and layers of engines that build.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/dynims/docker
# What the engine that is started next keeps.
data=$cache/data
# Without a digest, which an image that is made here cannot have.
base=$(sed -n 's/^ARG BASE=\([^@]*\).*/\1/p' "$project/dist/Dockerfile")
# shellcheck source=e2e/script.bash
. "$project/e2e/script.bash"

# One test at a time uses the engine's cache.
lock_cache() {
  mkdir -p "$cache"
  exec 9>"$cache/lock"
  flock --timeout 60 9 || fail "another test with a Docker engine runs"
}

docker() { command docker --host "unix://$run/docker.sock" "$@"; }
answers() { docker version >/dev/null 2>&1; }

# What the controller in that namespace says about all tiers.
tiers() { inside curl --silent --fail --max-time 10 http://127.0.0.1:8080/api/v1/tiers; }
# A field of the tier of a node; fails if it is false or null: tier NODE FIELD
tier() { tiers | jq --exit-status --arg node "$1" ".tiers[] | select(.node == \$node) | $2"; }

# Whether every container is healthy. Those that make the token and copy policies have ended by then.
all_healthy() {
  local states
  states=$(containers | xargs docker --host "unix://$run/docker.sock" inspect \
    --format '{{index .Config.Labels "com.docker.compose.service"}} {{with .State.Health}}{{.Status}}{{else}}{{$.State.Status}}{{end}}')
  [ -n "$states" ] && ! grep -qvxE '(tier-token|redis-policy|memcached-policy) exited|[^ ]+ (healthy|running)' <<<"$states"
}

# Starts the engine by the command given, and removes the containers of a run that was killed. The engine is in a session
# of its own (setsid), or an interrupt from the terminal would end it before its containers.
start_engine() {
  mkdir -p "$run"
  "$@" --host "unix://$run/docker.sock" --data-root "$data" --exec-root "$run/exec" --pidfile "$run/pid" \
    >"$run/log" 2>&1 3>&- 4>&- 9>&- &
  await "the engine answers (its log is $run/log)" answers
  remove_containers
}

# For builds only: in the network of the machine, without changing it.
start_build_engine() {
  start_engine setsid dockerd --bridge=none --iptables=false --ip6tables=false --ip-forward=false
}

start_run_engine() {
  add_namespace
  start_engine inside setsid dockerd
}

stop_engine() { end "$run/pid" dockerd; }

# Takes down everything that an engine of this or an earlier run has left, and the network namespace.
remove_engine() {
  if answers; then remove_containers; fi
  stop_engine
  remove_namespace
  # The engine removes the control groups of the containers but not their parents.
  find /sys/fs/cgroup -depth -type d -name 'dynims_node[1-4].slice' -exec rmdir {} + 2>/dev/null || true
  # An engine that was killed leaves mounts.
  findmnt --raw --noheadings --output TARGET | { grep -E "^($run|$cache|$data)/" || true; } | sort -r | xargs --no-run-if-empty umount
  rm -rf "$run"
}

# A substitute for the registry's image of this name: Debian without documentation.
make_base() {
  local root tar=$cache/${base//[:\/]/_}.tar
  docker image inspect "$base" >/dev/null 2>&1 && return
  if [ ! -e "$tar" ]; then
    say "making $base by debootstrap"
    root=$(mktemp -d "$cache/base.XXXXXX")
    make_plain_root bookworm "$root" "$(debian_mirror)"
    rm -rf "$root"/usr/share/{doc,info,locale,man}/* "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
    cat >"$root/etc/apt/sources.list" <<END
deb http://deb.debian.org/debian bookworm main
deb http://deb.debian.org/debian bookworm-updates main
deb http://deb.debian.org/debian-security bookworm-security main
END
    copy_authorities "$root"
    tar --create --directory "$root" --file "$tar.partial" .
    mv "$tar.partial" "$tar"
    rm -rf "$root"
  fi
  docker import "$tar" "$base" >/dev/null
}
