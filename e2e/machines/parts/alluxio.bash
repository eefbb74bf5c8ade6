# shellcheck shell=bash
# Parts alluxio, fluid, ramdisk and unreadable of e2e/machines/kubernetes.

check_alluxio() {
  start_node
  start_alluxio /dev/shm
  run_block helm install in_cluster
  check_alluxio_burst
}

# Namespace and name of the runtime are below the path.
check_fluid() {
  start_node
  cluster ssh 1 'install -d -o 1000 -g 1000 /dev/shm/alluxio/hbase'
  start_alluxio /dev/shm/alluxio/hbase
  kubectl label node machine-1 fluid.io/s-alluxio-hbase=true >/dev/null
  install_beside --set alluxio.tier.directory=alluxio/hbase/alluxioworker --set-string 'agent.nodeSelector.fluid\.io/s-alluxio-hbase=true'
  check_alluxio_burst
}

check_ramdisk() {
  start_node
  cluster ssh 1 'mkdir -p /mnt/ramdisk && mount -t tmpfs -o size=1g,mode=1777 ramdisk /mnt/ramdisk'
  start_alluxio /mnt/ramdisk
  install_beside --set alluxio.tier.hostPath=/mnt/ramdisk
  check_alluxio_burst
}

# Of a folder that the adapter may not read it says so in one line, and nothing is evicted.
check_unreadable() {
  local before said evicted
  start_node
  start_alluxio /dev/shm rwx------
  run_block helm install in_cluster
  await_reads
  set_policy alluxio 1000M
  before=$(blocks_there)
  await "the tier says why" says_unreadable
  said=$(kubectl logs --namespace dynims --selector=app.kubernetes.io/component=agent --container alluxio-adapter --tail=-1 | grep 'alluxioworker') ||
    fail "the adapter's log does not name the folder"
  say "the adapter: $said"
  say "the MemoryTier: $(kubectl get memorytier alluxio --namespace dynims --output=json | jq --raw-output '[.status.conditions[] | select(.status != "True") | .message] | join("; ")')"
  burst "$(room 96)"
  await "the burst ends" has_ended
  evicted=$(comm -23 <(echo "$before") <(blocks_there))
  [ -z "$evicted" ] || fail "blocks were evicted: $evicted"
  check_node
  say "all $(wc -l <<<"$before") blocks are there"
  check_reads
  cluster down
}
blocks_there() { cluster ssh 1 'ls /dev/shm/alluxioworker' | sort; }
says_unreadable() { kubectl get memorytier alluxio --namespace dynims --output=yaml | grep -q '/dev/shm/alluxioworker\|/tier/alluxioworker'; }

# The release, beside an Alluxio that is not where the chart looks by itself: install_beside OPTION...
install_beside() {
  in_cluster "helm install dynims dynims-$version.tgz --namespace dynims --create-namespace --set alluxio.masterAddress=alluxio-master-0.alluxio:19998 ${*@Q}" >/dev/null
}

# Starts Alluxio: start_alluxio PATH [PERMISSIONS]
start_alluxio() {
  cluster ssh 1 'mkdir -p /srv/ufs && chown 1000:1000 /srv/ufs'
  sed -e "s|PATH|$1|; s|QUOTA|1GB|; s|PERMISSIONS|${2:-rwxrwxrwx}|; s|VERSION|$version|" "$project/e2e/machines/alluxio.yaml" |
    kubectl apply --filename=- >/dev/null
  kubectl rollout status --namespace alluxio statefulset/alluxio-master daemonset/alluxio-worker --timeout=10m >/dev/null
}

# The last line of the job that reads.
reads() { kubectl logs --namespace alluxio reader --container reader --tail=1; }
# The job has loaded its data into the tier once.
has_read() { [[ $(reads) =~ ^blocks\ read\ ([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge "$1" ]; }
check_reads() {
  say "$(reads)"
  [[ $(reads) =~ \ wrong\ 0, ]] && [ "$(kubectl get pod reader --namespace alluxio --output=jsonpath='{.status.phase}')" = Running ] || fail "wrong bytes"
}

# With the policy, until the job has read.
await_reads() {
  run_block helm policy in_cluster
  await_ready
  await "the job has read" has_read 100
  say "$(reads)"
}

check_alluxio_burst() {
  await_reads
  enforce alluxio 1000M
  await_tier alluxio
  run_block helm look in_cluster
  check_burst
  check_reads
  check_node
  check_end
  cluster down
}
