{{/* The value of spec.store.type for a key of the chart's stores. */}}
{{- define "dynims.storeType" -}}
{{- ternary "MpiIo" (title .) (eq . "mpiio") -}}
{{- end -}}

{{/* By which labels and annotation the controller finds an adapter in a store's own pod. Takes (list root store). */}}
{{- define "dynims.sidecarLabels" -}}
dynims.io/release: {{ (index . 0).Release.Name | quote }}
dynims.io/store: {{ include "dynims.storeType" (index . 1) }}
{{- end -}}

{{- define "dynims.sidecarAnnotations" -}}
{{- if .Values.tierApi.tls.enabled -}}
dynims.io/adapter-scheme: https
{{- else -}}
dynims.io/adapter-scheme: http
{{- end -}}
{{- end -}}

{{/*
The adapter beside a store. Its user is the chart's, whatever the pod's is; that of MPI-IO is its agent's. Takes (list root store).
*/}}
{{- define "dynims.sidecar" -}}
{{- $root := index . 0 -}}
{{- $store := index . 1 -}}
{{- $settings := get $root.Values.stores $store -}}
{{- $context := mergeOverwrite (deepCopy $root.Values.podSecurityContext) ($settings.podSecurityContext | default dict) -}}
{{- $user := pick $context "runAsNonRoot" "runAsUser" "runAsGroup" "seccompProfile" -}}
name: {{ $store }}-adapter
image: {{ include "dynims.image" (list $root $settings.image) }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
securityContext:
  {{- mergeOverwrite (deepCopy $user) $root.Values.securityContext | toYaml | nindent 2 }}
env:
  # Requests under the policy of another node are refused.
  - name: DYNIMS_NODE_NAME
    valueFrom: {fieldRef: {fieldPath: spec.nodeName}}
  - name: JAVA_TOOL_OPTIONS
    value: {{ $settings.javaOptions | quote }}
  # glibc would otherwise keep an arena of memory for each thread.
  - name: MALLOC_ARENA_MAX
    value: "1"
  - name: DYNIMS_ADAPTER_HTTP_ADDRESS
    value: 0.0.0.0:7070
  {{- include "dynims.adapterAccess" $root | nindent 2 }}
  - name: DYNIMS_TIER_NAME
    value: {{ $settings.tier.name | quote }}
  - name: DYNIMS_ADAPTER_TIER_MAX
    value: {{ include "dynims.bytes" $settings.tier.max | quote }}
  - name: DYNIMS_ADAPTER_TIER_MIN
    value: {{ include "dynims.bytes" $settings.tier.min | quote }}
  {{- if eq $store "mpiio" }}
  - name: DYNIMS_ADAPTER_STORE_DIRECTORY
    value: {{ include "dynims.mpiioDirectory" $root }}
  {{- else }}
  - name: DYNIMS_ADAPTER_STORE_ADDRESS
    value: {{ $settings.address | quote }}
  {{- end }}
  {{- if $settings.passwordSecret }}
  - name: DYNIMS_ADAPTER_STORE_PASSWORD_FILE
    value: /etc/dynims/store/password
  {{- end }}
  - name: DYNIMS_ADAPTER_MEMORY_TOTAL
    value: {{ include "dynims.bytes" $settings.memoryTotal | quote }}
  - name: DYNIMS_ADAPTER_STATE_FILE
    value: /var/lib/dynims/adapter.state
  {{- with $settings.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
ports:
  - name: tier-api
    containerPort: 7070
# The port says that the adapter lives. There is no readiness probe: a slow adapter is no reason to take the store from its clients.
startupProbe:
  tcpSocket: {port: tier-api}
  periodSeconds: 1
  failureThreshold: 300
livenessProbe:
  tcpSocket: {port: tier-api}
  periodSeconds: 10
  timeoutSeconds: 5
resources:
  {{- toYaml $settings.resources | nindent 2 }}
volumeMounts:
  - name: dynims-tmp
    mountPath: /tmp
  - name: dynims-state
    mountPath: /var/lib/dynims
  {{- include "dynims.adapterAccessMount" (list $root "dynims-") | nindent 2 }}
  {{- if $settings.passwordSecret }}
  - name: dynims-store
    mountPath: /etc/dynims/store
    readOnly: true
  {{- end }}
  {{- if eq $store "mpiio" }}
  # Its sockets can be written to all the same.
  - name: arena
    mountPath: {{ include "dynims.mpiioDirectory" $root }}
    subPath: {{ $settings.directory | quote }}
    readOnly: true
  {{- end }}
{{- end -}}

{{/*
What the adapter beside a store mounts. Its user need not be in the pod's group, so everyone may read the Secrets' files; no other container
mounts them. Takes (list root store).
*/}}
{{- define "dynims.sidecarVolumes" -}}
{{- $root := index . 0 -}}
{{- $settings := get $root.Values.stores (index . 1) -}}
- name: dynims-tmp
  emptyDir: {sizeLimit: 64Mi}
- name: dynims-state
  emptyDir: {sizeLimit: 1Mi}
{{ include "dynims.adapterAccessVolume" (list $root "dynims-" "292 # 0444") }}
{{- if $settings.passwordSecret }}
- name: dynims-store
  secret:
    secretName: {{ $settings.passwordSecret | quote }}
    defaultMode: 292 # 0444
    items:
      - {key: {{ $settings.passwordKey | quote }}, path: password}
{{- end }}
{{- end -}}

{{/* What lets the controller reach the adapter, for a NetworkPolicy of the store's pods. */}}
{{- define "dynims.sidecarIngress" -}}
- from:
    - podSelector:
        matchLabels:
          {{- include "dynims.selector" (list . "controller") | nindent 10 }}
    {{- if .Values.monitoring.podMonitor.enabled }}
    {{- with .Values.networkPolicy.scrapers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- end }}
  ports:
    - {protocol: TCP, port: 7070}
{{- end -}}

{{/* Takes (list root store). */}}
{{- define "dynims.sidecarValues" -}}
podLabels:
  {{- include "dynims.sidecarLabels" . | nindent 2 }}
podAnnotations:
  {{- include "dynims.sidecarAnnotations" (index . 0) | nindent 2 }}
sidecars:
  - {{ include "dynims.sidecar" . | nindent 4 | trim }}
extraVolumes:
  {{- include "dynims.sidecarVolumes" . | nindent 2 }}
{{- end -}}

{{/* The agent's directory as its pod sees it. */}}
{{- define "dynims.mpiioDirectory" -}}
/arena/{{ .Values.stores.mpiio.directory }}
{{- end -}}

{{/* The pods of the cache under MPI-IO say which controller may find their adapter, and how it is called. */}}
{{- define "dynims.mpiioPodMetadata" -}}
{{- $settings := .Values.stores.mpiio -}}
{{- $labels := include "dynims.sidecarLabels" (list . "mpiio") | fromYaml -}}
{{- $annotations := include "dynims.sidecarAnnotations" . | fromYaml -}}
{{- $settings = merge (dict "podLabels" (merge $labels $settings.podLabels) "podAnnotations" (merge $annotations $settings.podAnnotations)) $settings -}}
{{- include "dynims.podMetadata" (list . "mpiio" $settings) -}}
{{- end -}}
