# shellcheck shell=bash
# Part mpiio of e2e/machines/kubernetes.

check_mpiio() {
  start_node
  run_block mpiio install in_cluster
  cluster ssh 1 'install -d -o 1000 -g 1000 /srv/mpi'
  kubectl apply --namespace dynims --filename=- >/dev/null <<'TEXT'
apiVersion: v1
kind: PersistentVolume
metadata: {name: data}
spec:
  capacity: {storage: 2Gi}
  accessModes: [ReadWriteMany]
  hostPath: {path: /srv/mpi, type: Directory}
  storageClassName: ""
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  accessModes: [ReadWriteMany]
  storageClassName: ""
  resources: {requests: {storage: 2Gi}}
TEXT
  # The program that checks, and what this node has.
  sed -e "s|registry.example.com/mpi-program:1|dynims-test-mpi:$version|; s|\"4\", /usr/local/bin/program, /data/input|\"2\", /usr/local/bin/program, /data/input, \"900\"|" \
    -e 's|cpu: "4", memory: 8Gi|cpu: 100m, memory: 128Mi|' "$release/chart/dynims/examples/mpi-job.yaml" | kubectl apply --namespace dynims --filename=- >/dev/null
  await_ready
  patch_tier mpiio '{"mode": "Enforce", "capacity": {"max": "1Gi"}}'
  await "the program has filled the tier" has_used $((800 << 20))
  say "$(mpi_reads)"
  enforce mpiio 1Gi
  await_tier mpiio
  kubectl get memorytiers --namespace dynims
  check_burst
  say "$(mpi_reads)"
  [[ $(mpi_reads) =~ \ wrong\ 0$ ]] && [ "$(kubectl get job mpi-program --namespace dynims --output=jsonpath='{.status.active}')" = 1 ] || fail "wrong bytes"
  check_node
  check_end
  cluster down
}

mpi_reads() { kubectl logs --namespace dynims job/mpi-program --container program --tail=1; }
