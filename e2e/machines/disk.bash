# Disks of machines; e2e/machines/slurm, paper and compose source this after e2e/script.bash. They set
#   work       the folder of what is made
# shellcheck shell=bash

# Copies the disk with a release of Debian to $work/root.raw, runs commands in it as root, with this machine's network, and unpacks an
# archive: make_disk RELEASE TEXT [ARCHIVE FOLDER]
make_disk() {
  local log=$work/disk.log image=$project/e2e/machines/image
  "$image" "$1"
  cp --sparse=always "$("$image" --where)/$1.raw" "$work/root.raw"
  mkdir -p "$work/disk" "$work/archives/partial"
  # Mounts end with their namespace.
  # shellcheck disable=SC2016 # Expanded by the shell that it starts.
  unshare --mount bash -euo pipefail -c '
    cd "$1"
    mount -o loop root.raw disk
    mount -t proc proc disk/proc
    mount --bind archives disk/var/cache/apt/archives
    cat /etc/resolv.conf >disk/etc/resolv.conf
    export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
    [ -z "$3" ] || { mkdir -p "disk$4" && tar --extract --file "$3" --directory "disk$4" --no-same-owner; }
    chroot disk bash -euo pipefail -c "apt-get update -q; $2"
    : >disk/etc/resolv.conf' - "$work" "$2" "${3:-}" "${4:-}" >"$log" 2>&1 || {
    tail -n 20 "$log"
    fail "the machine's disk"
  }
}
