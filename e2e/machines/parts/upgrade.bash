# shellcheck shell=bash
# Part upgrade of e2e/machines/kubernetes.

# The release before: of the last commit whose adapters knew the controller by a token.
before_commit=a67834c4
before_version=0.0.0-before
before=${XDG_CACHE_HOME:-$HOME/.cache}/dynims/releases/$before_commit

# Makes it once, by its own ./release.
make_before() {
  local source=$work/before
  [ ! -e "$before/SHA256SUMS" ] || return 0
  rm -rf "$source"
  git clone --quiet --no-checkout "$project" "$source"
  git -C "$source" checkout --quiet "$before_commit"
  start_build_engine
  make_base
  (
    project=$source version=$before_version
    run_release --skip mpiio
  )
  stop_engine
  mkdir -p "$(dirname "$before")"
  mv "$source/target/release/$before_version" "$before"
  rm -rf "$source"
}

check_upgrade() {
  local images=$work/images-$version-upgrade.raw
  make_before
  [ "$images" -nt "$release/SHA256SUMS" ] || {
    mkdir -p "$work/images-before"
    cp "$before"/images/dynims-{controller,agent,flink-job,kafka,redis}-* "$work/images-before"
    "$project/e2e/machines/images" "$images" "$release/images" "$work/images-before"
  }
  start_node
  watch_alerts
  release=$before version=$before_version start_server redis
  report "the release before"

  say "== upgraded in a burst"
  check_change "helm upgrade dynims dynims-$version.tgz --namespace dynims --reset-then-reuse-values --wait --timeout=10m"
  report "upgraded, with adapters of before in the servers' pods"

  say "== rolled back in a burst"
  check_change "helm rollback dynims 1 --namespace dynims --wait --timeout=10m"
  report "rolled back"

  say "== upgraded, and the server's pods, too"
  in_cluster "helm upgrade dynims dynims-$version.tgz --namespace dynims --reset-then-reuse-values --wait --timeout=10m
    tar -xf dynims-$version.tgz dynims/examples
    kubectl apply --namespace dynims --filename dynims/examples/redis.yaml" >/dev/null
  own_server redis
  kubectl rollout status statefulset/redis --namespace dynims --timeout=10m >/dev/null
  # The policy is applied anew with it.
  fill_tier redis
  check_burst check_and_fill redis
  report "all is new"
  check_node
  check_end
  cluster down
}

# A burst begins, goes on and ends while the release is changed: check_change TEXT
check_change() {
  local change
  in_cluster "$1" >"$work/change" 2>&1 &
  change=$!
  hold=60000 check_burst check_and_fill redis
  wait "$change" || fail "$1: $(cat "$work/change")"
  await "decisions reach the tier" is_enforced
  check_values redis
  check_node
}
