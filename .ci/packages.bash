# shellcheck shell=bash

# packages NAME...: installs those that are missing.
packages() {
  local name missing=()
  for name in "$@"; do
    dpkg-query --show "$name" >/dev/null 2>&1 || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  apt-get update -qq
  # RUNLEVEL=1 keeps packages from starting their own services.
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -qq "${missing[@]}"
}
