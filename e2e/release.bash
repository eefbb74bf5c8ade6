# A release of the last commit, and the blocks of code of its guides; e2e/guides and e2e/machines/{kubernetes,slurm,compose} source this. Besides what
# e2e/engine.bash asks for, they set
#   version    the version of the release
#   arch       the architecture of its images
#   registry   where the guides' images are
# shellcheck shell=bash

# shellcheck source=e2e/engine.bash
. "$project/e2e/engine.bash"

# Every block of a guide that is run: GUIDE PART NAME.
blocks=(
  "docs/release.md release check"
  "docs/hpc.md systemd service-install"
  "docs/hpc.md systemd service-start"
  "docs/hpc.md systemd node-install"
  "docs/hpc.md systemd node-start"
  "docs/hpc.md systemd look"
  "docs/hpc.md systemd mpiio-install"
  "docs/hpc.md systemd mpiio-start"
  "docs/hpc.md systemd node-remove"
  "docs/hints.md slurm settings"
  "docs/install.md compose up"
  "docs/install.md compose look"
  "docs/install.md compose down"
  "charts/dynims/README.md helm install"
  "charts/dynims/README.md helm policy"
  "charts/dynims/README.md helm look"
  "charts/dynims/README.md helm uninstall"
  "charts/dynims/README.md redis install"
  "charts/dynims/README.md memcached install"
  "charts/dynims/README.md mpiio install"
)

# Prints a block as it stands in its guide, fenced or indented: raw_block GUIDE PART NAME
raw_block() {
  awk -v marker="<!-- test: $2 $3 -->" '
    inside == "" { if ($0 == marker) inside = "before"; next }
    inside == "before" && /^$/ { next }
    inside == "before" && /^```/ { inside = "fence"; next }
    inside == "before" && !/^    / { exit }
    inside == "fence" { if (/^```/) exit; print; next }
    !/^    / && !/^$/ { exit }
    { inside = "indented"; print substr($0, 5) }
  ' "$project/$1"
}

# Deb files have 1.0~rc.1 in their names where the version is 1.0-rc.1.
block() {
  raw_block "$@" |
    sed -e "s/_VERSION_/_${version/-/\~}_/g" -e "s/VERSION/$version/g" -e "s/_ARCH\b/_$arch/g" -e "s|registry\.example\.com/dynims|$registry|g"
}

# Runs a block by a command that takes it as its last argument: run_block PART NAME COMMAND...
run_block() {
  local each text begin
  each=$(printf '%s\n' "${blocks[@]}" | grep " $1 $2\$") || fail "this test lists no block $1 $2"
  # shellcheck disable=SC2086 # Words.
  text=$(block $each)
  say "$each"
  sed 's/^/          | /' <<<"$text"
  shift 2
  begin=$(date +%s.%N)
  "$@" "$text" >"$run/output" 2>"$run/errors" || {
    tail -n 40 "$run/output" "$run/errors"
    fail "$each"
  }
  tail -n 6 "$run/output" | cut -c 1-200
  say "done in $(since "$begin")"
}

# In a folder, with what this shell has in its environment: in_folder FOLDER TEXT
in_folder() { (cd "$1" && bash -euo pipefail -c "$2" </dev/null); }

# Commands that a user of the release, and ./release, find on PATH. Here, builds are in the machine's network, Compose may be
# version 1, and the registry of a loopback address has no TLS.
write_commands() {
  local helm
  mkdir -p "$run/bin"
  cat >"$run/bin/docker" <<END
#!/bin/sh
case \${1:-} in
  build) shift && exec /usr/bin/docker build --network=host --build-arg BASE=$base "\$@" ;;
  compose) /usr/bin/docker compose version >/dev/null 2>&1 || { shift && exec docker-compose "\$@"; } ;;
esac
exec /usr/bin/docker "\$@"
END
  chmod +x "$run/bin/docker"
  helm=$("$project/e2e/cluster/tools/build" --where)/bin/helm
  [ ! -x "$helm" ] || {
    printf '#!/bin/sh\ncase $1 in push) exec %s "$@" --plain-http ;; esac\nexec %s "$@"\n' "$helm" "$helm" >"$run/bin/helm"
    chmod +x "$run/bin/helm"
  }
}

# Makes a release with the engine that runs: run_release OPTION... It says with 3 that it left something out; that may only be the push of
# the chart, where there is no Helm.
run_release() {
  local status=0 begin
  begin=$(date +%s.%N)
  set -- --platform "$arch" "$@"
  say "./release $version $*"
  (
    export DOCKER_HOST=unix://$run/docker.sock PATH=$run/bin:$PATH
    "$project/release" "$version" "$@" 9>&-
  ) >"$run/release.log" 2>&1 || status=$?
  if [ $status -ne 0 ] && { [ $status -ne 3 ] || grep 'release: left out' "$run/release.log" | grep -qv 'push of the chart'; }; then
    tail -n 40 "$run/release.log"
    fail "./release $version"
  fi
  grep 'release: ' "$run/release.log"
  release=$project/target/release/$version
  say "made in $(since "$begin")"
}

# The same on an engine of its own, with images: release_with_images OPTION...
release_with_images() {
  start_build_engine
  make_base
  run_release "$@"
  docker image prune --force >/dev/null
  docker builder prune --force --keep-storage 8GB >/dev/null
  stop_engine
}
