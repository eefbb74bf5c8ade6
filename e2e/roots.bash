# Roots of Debian that systemd-nspawn boots, with packages of a release; e2e/guides and e2e/machines/slurm source this. Besides what
# e2e/release.bash asks for, they set
#   work       the folder of the roots, which keeps what was fetched
#   network    the network namespace in which the roots boot
#   debian     the release of Debian, such as bookworm
# shellcheck shell=bash

# The sites' own Kafka and Alluxio.
make_site_services() {
  [ -d "$project/dist/kafka/target/lib" ] && [ -d "$project/dist/alluxio/target/lib" ] && return
  say "building Kafka's and Alluxio's class paths"
  (cd "$project" && ./mvnw -B -q -Dquick package --also-make --projects dist/kafka,dist/alluxio) >"$run/site.log" 2>&1 || {
    tail -n 25 "$run/site.log"
    fail "the class paths of Kafka and Alluxio"
  }
}

# A plain Debian that boots, as an administrator finds it.
make_root() {
  local root=$work/root.partial
  [ ! -e "$work/$debian.tar" ] || return 0
  say "making a root of $debian by debootstrap"
  rm -rf --one-file-system "$root"
  make_plain_root "$debian" "$root" "$(debian_mirror)" --include=systemd-sysv,dbus,libnss-systemd,curl
  rm -f "$root"/var/cache/apt/archives/*.deb
  tar --create --directory "$root" --file "$work/$debian.tar.partial" .
  mv "$work/$debian.tar.partial" "$work/$debian.tar"
  rm -rf --one-file-system "$root"
}

# Unpacks a clean root with packages of the release in /root, and fetches them, Debian's packages and what these depend on, since the root
# does not see the machine's network later: unpack_root NAME PACKAGE...
unpack_root() {
  local name=$1 root=$work/roots/$1 package others=()
  shift
  rm -rf --one-file-system "$root"
  mkdir -p "$root"
  tar --extract --directory "$root" --file "$work/$debian.tar"
  echo "$name" >"$root/etc/hostname"
  echo '127.0.0.1 localhost service node001 kafka alluxio-master' >"$root/etc/hosts"
  # The administrator's answer to apt-get's question; and this root need not survive a power failure.
  echo 'APT::Get::Assume-Yes "true";' >"$root/etc/apt/apt.conf.d/yes"
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/fast"
  for package in "$@"; do cp "$release/packages/${package}_"*.deb "$root/root/" 2>/dev/null || others+=("$package"); done
  say "fetching what $* needs"
  # Mounts end with their namespace.
  unshare --mount bash -euo pipefail -c '
    mount --bind "$2" "$1/var/cache/apt/archives"
    mount -t proc proc "$1/proc"
    export DEBIAN_FRONTEND=noninteractive LC_ALL=C
    chroot "$1" apt-get update
    chroot "$1" sh -c "apt-get install --download-only /root/*.deb $3"' - "$root" "$work/archives" "${others[*]}" >"$run/fetch" 2>&1 || {
    tail -n 20 "$run/fetch"
    fail "the packages that $* needs"
  }
}

# Boots a root, in a session and control groups of its own: boot NAME [OPTION...]
boot() {
  local name=$1
  shift
  say "booting $name"
  (
    for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/systemd; do
      [ -e "$hierarchy/cgroup.procs" ] || continue
      mkdir -p "$hierarchy/$namespace-$name"
      echo "$BASHPID" >"$hierarchy/$namespace-$name/cgroup.procs"
    done
    exec setsid systemd-nspawn --quiet --boot --settings=no --register=no --keep-unit --link-journal=no --resolv-conf=off --timezone=off \
      --network-namespace-path="$network" --machine="$name" --directory="$work/roots/$name" \
      --bind="$work/archives:/var/cache/apt/archives" --setenv=SYSTEMD_PROC_CMDLINE=SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1 "$@"
  ) >"$run/$name.log" 2>&1 </dev/null 3>&- 4>&- 9>&- &
  echo $! >"$run/$name.pid"
  await "$name boots (its log is $run/$name.log)" booted "$name"
}

# Its systemd, as this machine numbers it.
leader() { pgrep --parent "$(cat "$run/$1.pid")" --exact systemd; }

booted() {
  [ -e "/proc/$(cat "$run/$1.pid")" ] || {
    tail -n 20 "$run/$1.log"
    fail "$1 did not boot"
  }
  leader "$1" >/dev/null && [[ $(in_root "$1" 'systemctl is-system-running' 2>/dev/null) =~ ^(running|degraded)$ ]]
}

# Runs commands as root's shell in a root that has booted: in_root NAME TEXT
in_root() {
  local pid
  pid=$(leader "$1")
  nsenter --target "$pid" --mount --uts --ipc --net --pid --root --wd env --ignore-environment HOME=/root LC_ALL=C.UTF-8 TERM=dumb \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive bash -euo pipefail -c "cd && $2" </dev/null
}

roots() { find "$run" -maxdepth 1 -name '*.pid' ! -name registry.pid -printf '%f\n' 2>/dev/null | sed 's/\.pid$//'; }

stop_roots() {
  local name pid
  for name in $(roots); do
    # A clean shutdown; what hangs is killed, and with the first process of a root all of it ends.
    if pid=$(leader "$name"); then
      kill "$(cat "$run/$name.pid")" 2>/dev/null || true
      timeout 60 tail --pid="$(cat "$run/$name.pid")" --follow /dev/null || kill -KILL "$pid" 2>/dev/null || true
    fi
    end "$run/$name.pid" systemd-nspawn
    rm -f "$run/$name.pid"
  done
  find /sys/fs/cgroup -depth -type d -path "*/$namespace-*" -exec rmdir {} + 2>/dev/null || true
  rm -rf --one-file-system "$work/roots"
}

# Edits a file in a root, as the guide asks in words. The line has to be there: edit NAME FILE FROM TO
edit() {
  local file=$work/roots/$1/etc/dynims/$2
  grep -q "^ *$3" "$file" || fail "$2 has no line $3"
  sed -i "s|^\( *\)$3.*|\1$4|" "$file"
}
