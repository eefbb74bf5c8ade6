# What the scripts here share; they source it, some through e2e/engine.bash. They set
#   run        the folder of what lives only as long as the script
#   namespace  the network namespace of what they test
#   packages   the Debian packages that they need
# shellcheck shell=bash

patience=600

say() { printf '%s  %s\n' "$(date -u +%T)" "$*"; }
fail() {
  say "FAILED: $*" >&2
  exit 1
}

# Waits until a command succeeds: await WHAT COMMAND...
await() {
  local what=$1 end=$((SECONDS + patience))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || fail "$what, not within $patience s"
    sleep 0.2
  done
}

since() { awk -v a="$1" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f s", b - a }'; }

need_packages() {
  local package missing=()
  for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${missing[*]}"
  # RUNLEVEL=1 keeps packages from starting their own services.
  export RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y --no-install-recommends -qq "${missing[@]}" >/dev/null
}

inside() { nsenter --net="/run/netns/$namespace" "$@"; }

add_namespace() {
  ip netns add "$namespace"
  inside ip link set lo up
}

remove_namespace() { [ ! -e "/run/netns/$namespace" ] || ip netns delete "$namespace"; }

gone() { ! kill -0 "$1" 2>/dev/null; }

# Ends the program whose pid is in a file: the file of an earlier run may name another program by now. end FILE PROGRAM [SIGNAL]
end() {
  local pid
  pid=$(cat "$1" 2>/dev/null || true)
  if [ -n "$pid" ] && grep -qazE "(^|/)$2\$" "/proc/$pid/cmdline" 2>/dev/null; then
    kill -s "${3:-TERM}" "$pid"
    await "$2 ends" gone "$pid"
  fi
}

# The mirror of Debian that this machine's apt uses, or nothing.
debian_mirror() { apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' | sort -u | sed -n 1p; }

# Makes the smallest root of a release of Debian or Ubuntu in a folder by debootstrap: make_plain_root RELEASE FOLDER MIRROR [OPTION...]
# Without a MIRROR it is debootstrap's own.
make_plain_root() {
  local release=$1 root=$2 mirror=$3 script=/usr/share/debootstrap/scripts/$1
  shift 3
  # One script fits all of Ubuntu's releases, of which debootstrap may not know the newest.
  [ -e "$script" ] || script=${script%/*}/gutsy
  [ "$(basename "$(readlink -f "$script")")" != gutsy ] || set -- --components=main,universe "$@"
  debootstrap --force-check-gpg --variant=minbase "$@" "$release" "$root" ${mirror:+"$mirror" "$script"} >"$run/debootstrap" || {
    tail -n 20 "$run/debootstrap"
    rm -rf "$root"
    fail "debootstrap of $release"
  }
}

# Lets a root trust the authorities that this machine trusts besides its distribution's, as soon as it has ca-certificates.
copy_authorities() {
  mkdir -p "$1/usr/local/share/ca-certificates"
  find /usr/local/share/ca-certificates -name '*.crt' -exec cp -t "$1/usr/local/share/ca-certificates" {} +
}
