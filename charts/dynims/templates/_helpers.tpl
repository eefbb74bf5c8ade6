{{- define "dynims.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/*
At most 40 characters, so that every suffix of the chart fits; a name that is cut stays unique. It begins with a letter, as a Service's has to: a
release may be called 123.
*/}}
{{- define "dynims.fullname" -}}
{{- $name := include "dynims.name" . -}}
{{- $full := .Values.fullnameOverride -}}
{{- if not $full -}}
{{- $full = ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- end -}}
{{- if not (regexMatch "^[a-z]" $full) -}}
{{- $full = printf "%s-%s" .Chart.Name $full -}}
{{- end -}}
{{- if gt (len $full) 40 -}}
{{- printf "%s-%s" (trunc 31 $full | trimSuffix "-") (sha256sum $full | trunc 8) -}}
{{- else -}}
{{- $full -}}
{{- end -}}
{{- end -}}

{{/* Cluster-wide names hold the namespace, which has no colon. */}}
{{- define "dynims.clusterName" -}}
{{- printf "%s:%s" .Release.Namespace (include "dynims.fullname" .) -}}
{{- end -}}

{{- define "dynims.commonLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 }}
app.kubernetes.io/name: {{ include "dynims.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: dynims
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Takes (list root component). */}}
{{- define "dynims.labels" -}}
{{ include "dynims.commonLabels" (index . 0) }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* Never changes in the life of a release. Takes (list root component). */}}
{{- define "dynims.selector" -}}
app.kubernetes.io/name: {{ include "dynims.name" (index . 0) | quote }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name | quote }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* Without the chart's version: an upgrade replaces only pods that differ. Takes (list root component settings). */}}
{{- define "dynims.podMetadata" -}}
{{- $settings := index . 2 -}}
{{- with $settings.podAnnotations -}}
annotations:
  {{- toYaml . | nindent 2 }}
{{ end -}}
labels:
  {{- include "dynims.selector" . | nindent 2 }}
  {{- with (index . 0).Values.commonLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- with $settings.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* What all pods have in common. Takes (list root settings). */}}
{{- define "dynims.podSettings" -}}
{{- $root := index . 0 -}}
{{- $settings := index . 1 -}}
{{- with $root.Values.imagePullSecrets -}}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{ end -}}
enableServiceLinks: false
securityContext:
  {{- mergeOverwrite (deepCopy $root.Values.podSecurityContext) ($settings.podSecurityContext | default dict) | toYaml | nindent 2 }}
{{- with $settings.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with $settings.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $settings.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $settings.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $settings.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Takes (list root image). */}}
{{- define "dynims.image" -}}
{{- $root := index . 0 -}}
{{- $image := index . 1 -}}
{{- with $root.Values.image.registry }}{{ trimSuffix "/" . }}/{{ end -}}
{{- $image.repository -}}
{{- if $image.digest -}}
@{{ $image.digest }}
{{- else -}}
:{{ coalesce $image.tag $root.Values.image.tag $root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* The beginning of every container. Takes (list root image). */}}
{{- define "dynims.container" -}}
image: {{ include "dynims.image" . }}
imagePullPolicy: {{ (index . 0).Values.image.pullPolicy }}
securityContext:
  {{- toYaml (index . 0).Values.securityContext | nindent 2 }}
{{- end -}}

{{- define "dynims.controllerAccount" -}}
{{- $name := printf "%s-controller" (include "dynims.fullname" .) -}}
{{- ternary (.Values.controller.serviceAccount.name | default $name) (.Values.controller.serviceAccount.name | default "default") .Values.controller.serviceAccount.create -}}
{{- end -}}

{{- define "dynims.controllerUrl" -}}
{{- $scheme := empty .Values.controller.tlsSecret | ternary "http" "https" -}}
{{- printf "%s://%s-controller.%s.svc:%v" $scheme (include "dynims.fullname" .) .Release.Namespace .Values.controller.service.port -}}
{{- end }}

{{- define "dynims.agentAccount" -}}
{{- $name := printf "%s-agent" (include "dynims.fullname" .) -}}
{{- ternary (.Values.agent.serviceAccount.name | default $name) (.Values.agent.serviceAccount.name | default "default") .Values.agent.serviceAccount.create -}}
{{- end -}}

{{/* "true" where the chart runs the broker. */}}
{{- define "dynims.runsKafka" -}}
{{- if and (not .Values.kafka.bootstrapServers) (not .Values.kafka.strimzi.cluster) .Values.kafka.evaluation.enabled }}true{{ end -}}
{{- end -}}

{{- define "dynims.bootstrapServers" -}}
{{- if .Values.kafka.bootstrapServers -}}
{{- .Values.kafka.bootstrapServers -}}
{{- else if .Values.kafka.strimzi.cluster -}}
{{- $strimzi := .Values.kafka.strimzi -}}
{{- printf "%s-kafka-bootstrap.%s:%d" $strimzi.cluster ($strimzi.namespace | default .Release.Namespace) (int $strimzi.port) -}}
{{- else if .Values.kafka.evaluation.enabled -}}
{{- printf "%s-kafka.%s:9092" (include "dynims.fullname" .) .Release.Namespace -}}
{{- else -}}
{{- fail "kafka.bootstrapServers: is empty. Set it to your brokers, or kafka.evaluation.enabled=true for a single broker to try DynIMS with." -}}
{{- end -}}
{{- end -}}

{{- define "dynims.replication" -}}
{{- if .Values.kafka.topics.replication -}}
{{- .Values.kafka.topics.replication -}}
{{- else -}}
{{- ternary 1 3 (eq (include "dynims.runsKafka" .) "true") -}}
{{- end -}}
{{- end -}}

{{/* "true" where programs have credentials for Kafka. */}}
{{- define "dynims.kafkaCredentials" -}}
{{- if or .Values.kafka.existingSecret .Values.kafka.strimzi.cluster }}true{{ end -}}
{{- end -}}

{{/* The KafkaUser of controller and Flink, which is also its Secret's name; that of the agents has an ending. */}}
{{- define "dynims.kafkaUser" -}}
{{- .Values.kafka.strimzi.user | default (include "dynims.fullname" .) -}}
{{- end -}}

{{/* Volume with the credentials for Kafka of controller and Flink, and of the agents. */}}
{{- define "dynims.kafkaVolume" -}}
{{- include "dynims.kafkaVolumeOf" (list . .Values.kafka.existingSecret (include "dynims.kafkaUser" .) "client.properties") -}}
{{- end -}}

{{- define "dynims.agentKafkaVolume" -}}
{{- include "dynims.kafkaVolumeOf" (list . .Values.kafka.agentSecret (printf "%s-agent" (include "dynims.kafkaUser" .)) "librdkafka.properties") -}}
{{- end -}}

{{/* Takes (list root secret user properties): a Secret, or what Strimzi has for the user with the chart's properties. */}}
{{- define "dynims.kafkaVolumeOf" -}}
{{- $root := index . 0 -}}
{{- $strimzi := $root.Values.kafka.strimzi -}}
{{- if index . 1 -}}
- name: kafka
  secret:
    secretName: {{ index . 1 | quote }}
    defaultMode: 288 # 0440
{{- else if $strimzi.cluster -}}
- name: kafka
  projected:
    defaultMode: 288 # 0440
    sources:
      - configMap:
          name: {{ include "dynims.fullname" $root }}-kafka-clients
          items: [{key: {{ index . 3 }}, path: {{ index . 3 }}}]
      - secret:
          name: {{ $strimzi.caSecret | default (printf "%s-cluster-ca-cert" $strimzi.cluster) | quote }}
          items: [{key: ca.crt, path: ca.crt}]
      - secret:
          name: {{ index . 2 | quote }}
          items: [{key: user.crt, path: user.crt}, {key: user.key, path: user.key}]
{{- end -}}
{{- end -}}

{{/*
With Strimzi, which renews certificates, a container that was started with earlier files is restarted: the kubelet changes where the link ..data leads
with every change of the files. Takes (list root check), where check is a command that tells whether the program lives.
*/}}
{{- define "dynims.kafkaRotation" -}}
lifecycle:
  postStart:
    exec: {command: [bash, -c, readlink /etc/dynims/kafka/..data >/tmp/kafka-credentials]}
livenessProbe:
  exec:
    command:
      - bash
      - -c
      - '[ "$(readlink /etc/dynims/kafka/..data)" = "$(cat /tmp/kafka-credentials)" ]{{ with index . 1 }} && {{ . }}{{ end }}'
  periodSeconds: 30
  timeoutSeconds: 5
{{- end -}}

{{/* The Secret with the token that adapters ask for which do not know the controller by its certificate. */}}
{{- define "dynims.tierTokenSecret" -}}
{{- .Values.tierApi.existingSecret | default (printf "%s-tier-token" (include "dynims.fullname" .)) -}}
{{- end -}}

{{/*
"true" where the controller has that token. With TLS that is for adapters of before it had a certificate, in agents that an upgrade has not
replaced yet and in pods of stores that were not patched again: as long as there is such a Secret.
*/}}
{{- define "dynims.pushToken" -}}
{{- $name := include "dynims.tierTokenSecret" . -}}
{{- if or (not .Values.tierApi.tls.enabled) .Values.tierApi.existingSecret (lookup "v1" "Secret" .Release.Namespace $name) }}true{{ end -}}
{{- end -}}

{{/* The Secret with the adapters' certificate, and the name that the certificate has; the same of the controller's. */}}
{{- define "dynims.tierTlsSecret" -}}
{{- .Values.tierApi.tls.existingSecret | default (printf "%s-tier-tls" (include "dynims.fullname" .)) -}}
{{- end -}}

{{- define "dynims.tierTlsName" -}}
{{- include "dynims.fullname" . }}-agent
{{- end -}}

{{- define "dynims.pushTlsSecret" -}}
{{- .Values.tierApi.tls.controllerSecret | default (printf "%s-push-tls" (include "dynims.fullname" .)) -}}
{{- end -}}

{{- define "dynims.pushTlsName" -}}
{{- include "dynims.fullname" . }}-controller
{{- end -}}

{{/* Settings by which an adapter knows the controller. Nothing that a node has may open another one, so with TLS it has no token. */}}
{{- define "dynims.adapterAccess" -}}
{{- if .Values.tierApi.tls.enabled -}}
- name: DYNIMS_ADAPTER_HTTP_TLS_CERTIFICATE
  value: /etc/dynims/tier-tls/tls.crt
- name: DYNIMS_ADAPTER_HTTP_TLS_KEY
  value: /etc/dynims/tier-tls/tls.key
- name: DYNIMS_ADAPTER_HTTP_TLS_CA
  value: /etc/dynims/tier-tls/ca.crt
- name: DYNIMS_ADAPTER_HTTP_TLS_CLIENT_NAME
  value: {{ include "dynims.pushTlsName" . }}
{{- else -}}
- name: DYNIMS_ADAPTER_HTTP_TOKEN_FILE
  value: /etc/dynims/tier-token/token
{{- end -}}
{{- end -}}

{{/* What these settings name. Takes (list root prefix), where the prefix is that of the volume's name. */}}
{{- define "dynims.adapterAccessMount" -}}
{{- $name := ternary "tier-tls" "tier-token" (index . 0).Values.tierApi.tls.enabled -}}
- name: {{ index . 1 }}{{ $name }}
  mountPath: /etc/dynims/{{ $name }}
  readOnly: true
{{- end -}}

{{/* Takes (list root prefix mode). */}}
{{- define "dynims.adapterAccessVolume" -}}
{{- $root := index . 0 -}}
{{- $tls := $root.Values.tierApi.tls.enabled -}}
- name: {{ index . 1 }}{{ ternary "tier-tls" "tier-token" $tls }}
  secret:
    secretName: {{ ternary (include "dynims.tierTlsSecret" $root) (include "dynims.tierTokenSecret" $root) $tls | quote }}
    defaultMode: {{ index . 2 }}
{{- end -}}

{{/*
A certificate: of cert-manager where there is an issuer; else one that the chart makes, with an authority of its own, and that upgrades keep.
Takes (list root component secret name).
*/}}
{{- define "dynims.certificate" -}}
{{- $root := index . 0 -}}
{{- $secret := index . 2 -}}
{{- $name := index . 3 -}}
{{- if $root.Values.tls.issuer -}}
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: {{ $secret | quote }}
  namespace: {{ $root.Release.Namespace | quote }}
  labels:
    {{- include "dynims.labels" (list $root (index . 1)) | nindent 4 }}
spec:
  secretName: {{ $secret | quote }}
  dnsNames: [{{ $name }}]
  usages: [server auth, client auth]
  privateKey: {algorithm: ECDSA, size: 256, rotationPolicy: Always}
  issuerRef:
    {{- toYaml $root.Values.tls.issuer | nindent 4 }}
{{- else -}}
{{- $data := (lookup "v1" "Secret" $root.Release.Namespace $secret).data -}}
{{- if not $data -}}
{{- $authority := genCAWithKey (printf "%s-ca" $name) 3650 (genPrivateKey "ecdsa") -}}
{{- $certificate := genSignedCertWithKey $name nil (list $name) 3650 $authority (genPrivateKey "ecdsa") -}}
{{- $data = dict "ca.crt" ($authority.Cert | b64enc) "tls.crt" ($certificate.Cert | b64enc) "tls.key" ($certificate.Key | b64enc) -}}
{{- end -}}
{{- include "dynims.certificateSecret" (list $root (index . 1) $secret $data) -}}
{{- end -}}
{{- end -}}

{{/* Takes (list root component secret data). */}}
{{- define "dynims.certificateSecret" -}}
{{- $root := index . 0 -}}
apiVersion: v1
kind: Secret
metadata:
  name: {{ index . 2 | quote }}
  namespace: {{ $root.Release.Namespace | quote }}
  labels:
    {{- include "dynims.labels" (list $root (index . 1)) | nindent 4 }}
type: kubernetes.io/tls
data:
  {{- pick (index . 3) "ca.crt" "tls.crt" "tls.key" | toYaml | nindent 2 }}
{{- end -}}

{{/*
The certificates of adapters and controller, of one authority whose key is forgotten. ca.crt is the same in both Secrets. An upgrade keeps both;
where there is only that of the adapters, of before the controller had one, it stays, and the controller's authority is added to ca.crt.
*/}}
{{- define "dynims.tierCertificates" -}}
{{- $adapters := include "dynims.tierTlsSecret" . -}}
{{- $controller := include "dynims.pushTlsSecret" . -}}
{{- $ofAdapters := (lookup "v1" "Secret" .Release.Namespace $adapters).data -}}
{{- $ofController := (lookup "v1" "Secret" .Release.Namespace $controller).data -}}
{{- if not (and $ofAdapters $ofController) -}}
{{- $authority := genCAWithKey (printf "%s-ca" (include "dynims.fullname" .)) 3650 (genPrivateKey "ecdsa") -}}
{{- $name := include "dynims.pushTlsName" . -}}
{{- $certificate := genSignedCertWithKey $name nil (list $name) 3650 $authority (genPrivateKey "ecdsa") -}}
{{- $authorities := $authority.Cert -}}
{{- $ofController = dict "tls.crt" ($certificate.Cert | b64enc) "tls.key" ($certificate.Key | b64enc) -}}
{{- if $ofAdapters -}}
{{- $authorities = printf "%s\n%s" (index $ofAdapters "ca.crt" | b64dec | trim) $authority.Cert -}}
{{- else -}}
{{- $name = include "dynims.tierTlsName" . -}}
{{- $certificate = genSignedCertWithKey $name nil (list $name) 3650 $authority (genPrivateKey "ecdsa") -}}
{{- $ofAdapters = dict "tls.crt" ($certificate.Cert | b64enc) "tls.key" ($certificate.Key | b64enc) -}}
{{- end -}}
{{- $_ := set $ofController "ca.crt" ($authorities | b64enc) -}}
{{- $_ = set $ofAdapters "ca.crt" ($authorities | b64enc) -}}
{{- end -}}
{{- include "dynims.certificateSecret" (list . "agent" $adapters $ofAdapters) }}
---
{{ include "dynims.certificateSecret" (list . "controller" $controller $ofController) }}
{{- end -}}

{{/* An agent's pod says which controller may find its adapter, and how it is called. */}}
{{- define "dynims.agentPodMetadata" -}}
{{- $settings := .Values.agent -}}
{{- if .Values.alluxio.enabled -}}
{{- $labels := dict "dynims.io/release" .Release.Name "dynims.io/store" "Alluxio" -}}
{{- $settings = merge (dict "podLabels" (merge $labels $settings.podLabels)) $settings -}}
{{- if .Values.tierApi.tls.enabled -}}
{{- $settings = merge (dict "podAnnotations" (merge (dict "dynims.io/adapter-scheme" "https") $settings.podAnnotations)) $settings -}}
{{- end -}}
{{- end -}}
{{- include "dynims.podMetadata" (list . "agent" $settings) -}}
{{- end -}}

{{/* The Secret with the certificate of Flink's processes; empty without TLS between them. */}}
{{- define "dynims.flinkTlsSecret" -}}
{{- if .Values.flink.internalTls.enabled -}}
{{- .Values.flink.internalTls.existingSecret | default (printf "%s-flink-tls" (include "dynims.fullname" .)) -}}
{{- end -}}
{{- end -}}

{{- define "dynims.kafkaMount" -}}
{{- if include "dynims.kafkaCredentials" . -}}
- name: kafka
  mountPath: /etc/dynims/kafka
  readOnly: true
{{- end -}}
{{- end -}}

{{/*
All of hostPath, not only the worker's folder in it: the worker makes that when it starts, and anew when it is formatted. A mount of the folder
alone would keep the pod waiting (Directory) or make the folder root's, so that the worker cannot write (DirectoryOrCreate), and it would
stay at a folder that was replaced. Nor would a tmpfs that is mounted at hostPath later be seen.
*/}}
{{- define "dynims.tierMount" -}}
{{- if .Values.alluxio.enabled -}}
- name: tier
  mountPath: /tier
  readOnly: true
  # A tmpfs that is mounted there later is seen, too.
  mountPropagation: HostToContainer
{{- end -}}
{{- end -}}

{{/* Mistakes in several values together, which a schema cannot tell. */}}
{{- define "dynims.validate" -}}
{{- $_ := include "dynims.bootstrapServers" . -}}
{{- range include "dynims.runtimes" . | fromJsonArray -}}
{{- if and .alluxio.enabled (not .alluxio.tier.hostPath) -}}
{{- fail "alluxio.tier.hostPath: is empty. Set it to where the worker keeps its tier on the node: an adapter that does not see the blocks cannot tell which of them exist nowhere else." -}}
{{- end -}}
{{- end -}}
{{- if and .Values.tests.resize (not .Values.controller.tokenSecret) -}}
{{- fail "tests.resize: gives a hint, which needs a token. Name a Secret with one in controller.tokenSecret." -}}
{{- end -}}
{{- if and .Values.controller.share (gt (int .Values.controller.replicas) (int .Values.kafka.topics.partitions)) -}}
{{- fail "controller.share: kafka.topics.partitions is less than controller.replicas, so some replicas would have nothing to do." -}}
{{- end -}}
{{- range $store, $settings := .Values.stores -}}
{{- if and $settings.enabled (not $settings.tier.max) -}}
{{- fail (printf "stores.%s.tier.max: is empty. Set it to the most memory that the server may use for data, such as 4Gi." $store) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.kafka.existingSecret .Values.kafka.strimzi.cluster -}}
{{- fail "kafka.existingSecret: is not used beside kafka.strimzi.cluster, whose users have Secrets of their own. Set one of them." -}}
{{- end -}}
{{- if and .Values.kafka.existingSecret (include "dynims.runsKafka" .) -}}
{{- fail "kafka.existingSecret: the broker for evaluation has neither TLS nor SASL. Set kafka.bootstrapServers to your brokers." -}}
{{- end -}}
{{- if and .Values.kafka.existingSecret (not .Values.kafka.agentSecret) -}}
{{- fail "kafka.agentSecret: is empty. Name a Secret for the agents, whose Kafka user may only write dynims.metrics: every node has it." -}}
{{- end -}}
{{- /* Argo CD says what its cluster's API has, and asks it nothing; Helm's other ways to do so are previews, which may differ. */ -}}
{{- if and (.Capabilities.APIVersions.Has "argoproj.io/v1alpha1/Application") (not (lookup "v1" "Namespace" "" "kube-system")) -}}
{{- if not (or .Values.tierApi.tls.enabled .Values.tierApi.existingSecret) -}}
{{- fail "tierApi.existingSecret: is empty, and Argo CD would make another token with each sync. Name a Secret with one." -}}
{{- end -}}
{{- $tier := and .Values.tierApi.tls.enabled (not .Values.tierApi.tls.existingSecret) -}}
{{- $flink := and (include "dynims.runsFlink" .) .Values.flink.internalTls.enabled (not .Values.flink.internalTls.existingSecret) -}}
{{- if and (or $tier $flink) (not .Values.tls.issuer) -}}
{{- fail "tls.issuer: is empty, and Argo CD would make other certificates with each sync. Name an issuer of cert-manager, or Secrets in tierApi.tls.existingSecret and flink.internalTls.existingSecret." -}}
{{- end -}}
{{- end -}}
{{- if and .Values.watchAllNamespaces .Values.watchNamespaces -}}
{{- fail "watchNamespaces: names some namespaces, but watchAllNamespaces is true. Set one of them." -}}
{{- end -}}
{{- if ne (empty .Values.tierApi.tls.existingSecret) (empty .Values.tierApi.tls.controllerSecret) -}}
{{- fail "tierApi.tls.controllerSecret: is needed with tierApi.tls.existingSecret, and the other way round: adapters know the controller by its certificate, and the ca.crt of both has the authorities of both." -}}
{{- end -}}
{{- $names := list -}}
{{- range .Values.alluxio.runtimes -}}
{{- if has .name $names -}}
{{- fail (printf "alluxio.runtimes: the name %s is there twice." .name) -}}
{{- end -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- end -}}

{{/* The namespaces whose MemoryTiers count, as a JSON list; empty for all. */}}
{{- define "dynims.watchedNamespaces" -}}
{{- if .Values.watchAllNamespaces -}}
[]
{{- else -}}
{{- default (list .Release.Namespace) .Values.watchNamespaces | uniq | toJson -}}
{{- end -}}
{{- end -}}

{{/* "true" where the chart runs Flink itself, and where Flink's operator runs the job. */}}
{{- define "dynims.runsFlink" -}}
{{- if and (not .Values.flink.external.enabled) (eq .Values.flink.deployment "Deployment") }}true{{ end -}}
{{- end -}}

{{- define "dynims.flinkOperator" -}}
{{- if and (not .Values.flink.external.enabled) (eq .Values.flink.deployment "FlinkDeployment") }}true{{ end -}}
{{- end -}}

{{/* Over nodes, if possible, unless the settings say something else. Takes (list root component settings). */}}
{{- define "dynims.topologySpread" -}}
{{- $selector := include "dynims.selector" (list (index . 0) (index . 1)) | fromYaml -}}
{{- $spread := dict "maxSkew" 1 "topologyKey" "kubernetes.io/hostname" "whenUnsatisfiable" "ScheduleAnyway" "labelSelector" (dict "matchLabels" $selector) -}}
{{- default (list $spread) (index . 2).topologySpreadConstraints | toJson -}}
{{- end -}}

{{/* The settings of each Alluxio with those of its agents, as a JSON list. */}}
{{- define "dynims.runtimes" -}}
{{- $root := . -}}
{{- $runtimes := list -}}
{{- if .Values.alluxio.enabled -}}
{{- range .Values.alluxio.runtimes -}}
{{- $alluxio := omit (deepCopy $root.Values.alluxio) "runtimes" -}}
{{- $agent := deepCopy $root.Values.agent -}}
{{- range $key, $value := omit . "name" "tier" "nodeSelector" "tolerations" "affinity" -}}
{{- $_ := set $alluxio $key $value -}}
{{- end -}}
{{- if and .masterAddress (not .masterAddresses) -}}
{{- /* Its own master, not the common ones. */ -}}
{{- $_ := set $alluxio "masterAddresses" list -}}
{{- end -}}
{{- range $key, $value := .tier -}}
{{- $_ := set $alluxio.tier $key $value -}}
{{- end -}}
{{- range $key, $value := .nodeSelector -}}
{{- $_ := set $agent.nodeSelector $key $value -}}
{{- end -}}
{{- range $key, $value := pick . "tolerations" "affinity" -}}
{{- $_ := set $agent $key $value -}}
{{- end -}}
{{- $runtimes = append $runtimes (dict "name" .name "alluxio" $alluxio "agent" $agent) -}}
{{- end -}}
{{- end -}}
{{- default (list (dict "name" "" "alluxio" .Values.alluxio "agent" .Values.agent)) $runtimes | toJson -}}
{{- end -}}

{{/* The masters' addresses, separated by commas. Takes the settings of an Alluxio. */}}
{{- define "dynims.masterAddresses" -}}
{{- .masterAddresses | default (list .masterAddress) | join "," -}}
{{- end -}}

{{/* The ports of all workers and masters, once each, as a JSON list. */}}
{{- define "dynims.alluxioPorts" -}}
{{- $ports := list -}}
{{- range include "dynims.runtimes" . | fromJsonArray -}}
{{- $ports = append $ports (splitList ":" .alluxio.workerAddress | last | int) -}}
{{- with .alluxio.workerWebPort -}}
{{- $ports = append $ports (int .) -}}
{{- end -}}
{{- range include "dynims.masterAddresses" .alluxio | splitList "," -}}
{{- with . -}}
{{- $ports = append $ports (splitList ":" . | last | int) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $ports | uniq | toJson -}}
{{- end -}}

{{/* Where MemoryTiers are watched. */}}
{{- define "dynims.tierRules" -}}
- apiGroups: [dynims.io]
  resources: [memorytiers]
  verbs: [get, list, watch]
- apiGroups: [dynims.io]
  resources: [memorytiers/status]
  verbs: [get, patch, update]
- apiGroups: [""]
  resources: [events]
  verbs: [create, patch]
{{- end -}}

{{/* A port of the host:port list of brokers, once each. */}}
{{- define "dynims.brokerPorts" -}}
{{- $ports := list -}}
{{- range splitList "," (include "dynims.bootstrapServers" .) -}}
{{- $ports = append $ports (splitList ":" . | last | int) -}}
{{- end -}}
{{- $ports | uniq | toJson -}}
{{- end -}}

{{/* How a JVM of Flink is started. Takes (list root main heapMebibytes javaOptions). */}}
{{- define "dynims.flinkCommand" -}}
- java
- -Xms{{ index . 2 | int64 }}m
- -Xmx{{ index . 2 | int64 }}m
- -XX:MaxMetaspaceSize=128m
- -XX:+ExitOnOutOfMemoryError
- --add-opens=java.base/java.util=ALL-UNNAMED
{{- range splitList " " (index . 3) }}
{{- with trim . }}
- {{ . | quote }}
{{- end }}
{{- end }}
- -cp
- /opt/dynims/flink-job/dynims-flink-job.jar:/opt/dynims/flink-job/lib/*
- {{ index . 1 }}
- --configDir
- /etc/dynims/flink
{{- end -}}

{{/* What both kinds of Flink's pods see. */}}
{{- define "dynims.flinkMounts" -}}
- name: config
  mountPath: /etc/dynims/flink
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- if .Values.flink.internalTls.enabled }}
- name: tls
  mountPath: /etc/dynims/flink-tls
  readOnly: true
{{- end }}
{{- with include "dynims.kafkaMount" . }}
{{ . }}
{{- end }}
{{- end -}}

{{- define "dynims.flinkVolumes" -}}
- name: config
  configMap:
    name: {{ include "dynims.fullname" . }}-flink
- name: tmp
  emptyDir: {}
{{- with include "dynims.flinkTlsSecret" . }}
- name: tls
  secret:
    secretName: {{ . | quote }}
    defaultMode: 288 # 0440
{{- end }}
{{- with include "dynims.kafkaVolume" . }}
{{ . }}
{{- end }}
{{- end -}}

{{/* The port of a pod of Flink at which it is scraped. */}}
{{- define "dynims.flinkMetricsPort" -}}
{{- if .Values.monitoring.podMonitor.enabled -}}
- name: metrics
  containerPort: 9249
{{- end -}}
{{- end -}}

{{/* Where a rule of egress leads: to the peers, or to any address if there are none. */}}
{{- define "dynims.peers" -}}
{{- with . -}}
to:
  {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end -}}

{{/* Who may scrape Flink's pods. */}}
{{- define "dynims.flinkMetricsIngress" -}}
{{- if and .Values.monitoring.podMonitor.enabled .Values.networkPolicy.scrapers -}}
- from:
    {{- toYaml .Values.networkPolicy.scrapers | nindent 4 }}
  ports:
    - {protocol: TCP, port: metrics}
{{- end -}}
{{- end -}}

{{/* How a PodMonitor scrapes. Takes (list root port). */}}
{{- define "dynims.podMetricsEndpoints" -}}
podMetricsEndpoints:
  - port: {{ index . 1 }}
    path: /metrics
    {{- with (index . 0).Values.monitoring.podMonitor.interval }}
    interval: {{ . | quote }}
    {{- end }}
{{- end -}}

{{/* Pods of Flink are replaced when its configuration changes. Takes (list root component settings). */}}
{{- define "dynims.flinkPodMetadata" -}}
{{- $root := index . 0 -}}
{{- $checksum := include "dynims.flinkConfig" $root | sha256sum -}}
{{- $annotations := merge (dict "checksum/config" $checksum) (index . 2).podAnnotations -}}
{{- include "dynims.podMetadata" (list $root (index . 1) (merge (dict "podAnnotations" $annotations) (index . 2))) -}}
{{- end -}}

{{- define "dynims.kafkaCommand" -}}
- java
{{- range splitList " " .javaOptions }}
{{- with trim . }}
- {{ . | quote }}
{{- end }}
{{- end }}
- -Dlog4j2.configurationFile=/etc/kafka/log4j2.properties
- -cp
- /opt/dynims/kafka/lib/*
{{- end -}}

{{- define "dynims.kafkaMounts" -}}
- name: config
  mountPath: /etc/kafka
  readOnly: true
- name: data
  mountPath: /var/lib/kafka
- name: tmp
  mountPath: /tmp
{{- end -}}

{{/* Bytes as a string; YAML reads a long number as a float. */}}
{{- define "dynims.bytes" -}}
{{- kindIs "string" . | ternary . (. | int64 | toString) -}}
{{- end -}}

{{/* A size such as 16Gi as a number of bytes, for programs that read other units. */}}
{{- define "dynims.plainBytes" -}}
{{- $size := include "dynims.bytes" . -}}
{{- $unit := regexFind "[A-Za-z]*$" $size -}}
{{- $units := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "T" 1000000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- mulf (trimSuffix $unit $size) (get $units $unit) | ceil | int64 -}}
{{- end -}}

{{/* The text of config.yaml. */}}
{{- define "dynims.flinkConfig" -}}
{{- $flink := .Values.flink }}
{{- $config := dict
  "jobmanager.rpc.address" (printf "%s-flink-jobmanager.%s" (include "dynims.fullname" .) .Release.Namespace)
  "jobmanager.rpc.port" 6123
  "jobmanager.bind-host" "0.0.0.0"
  "blob.server.port" 6124
  "rest.bind-address" (ternary "0.0.0.0" "127.0.0.1" (not (empty $flink.port)))
  "rest.port" ($flink.port | default 8081 | int)
  "web.submit.enable" false
  "web.cancel.enable" false
  "web.access-control-allow-origin" ""
  "dynims.rest.allowed" (ternary "Reading" "None" (not (empty $flink.port)))
  "taskmanager.bind-host" "0.0.0.0"
  "taskmanager.rpc.port" 6122
  "taskmanager.data.port" 6121
  "taskmanager.numberOfTaskSlots" ($flink.taskManager.slots | int)
  "parallelism.default" (mul $flink.taskManager.slots $flink.taskManager.replicas)
  "taskmanager.cpu.cores" 1
  "taskmanager.memory.framework.heap.size" "64m"
  "taskmanager.memory.task.heap.size" (printf "%dm" (sub ($flink.taskManager.heapMebibytes | int) 64))
  "taskmanager.memory.framework.off-heap.size" "64m"
  "taskmanager.memory.task.off-heap.size" "0m"
  "taskmanager.memory.network.min" "32m"
  "taskmanager.memory.network.max" "32m"
  "taskmanager.memory.managed.size" "0m"
  "taskmanager.memory.jvm-metaspace.size" "128m"
  "taskmanager.memory.jvm-overhead.min" "64m"
  "taskmanager.memory.jvm-overhead.max" "64m"
  "io.tmp.dirs" "/tmp"
}}
{{- if .Values.monitoring.podMonitor.enabled }}
{{- $_ := set $config "metrics.reporter.prometheus.factory.class" "org.apache.flink.metrics.prometheus.PrometheusReporterFactory" }}
{{- $_ := set $config "metrics.reporter.prometheus.port" 9249 }}
{{- end }}
{{- if $flink.internalTls.enabled }}
{{- $_ := set $config "dynims.internal.tls.certificate" "/etc/dynims/flink-tls/tls.crt" }}
{{- $_ := set $config "dynims.internal.tls.key" "/etc/dynims/flink-tls/tls.key" }}
{{- $_ := set $config "dynims.internal.tls.ca" "/etc/dynims/flink-tls/ca.crt" }}
{{- end }}
{{- $config = merge (deepCopy $flink.config) $config }}
{{- range $key := keys $config | sortAlpha }}
{{ $key }}: {{ get $config $key | toJson }}
{{- end }}
{{- end -}}

{{/* The configuration files of the broker for evaluation. */}}
{{- define "dynims.kafkaConfig" -}}
server.properties: |
  process.roles=broker,controller
  node.id=1
  controller.quorum.voters=1@localhost:9093
  listeners=PLAINTEXT://:9092,CONTROLLER://localhost:9093
  advertised.listeners=PLAINTEXT://{{ include "dynims.bootstrapServers" . }}
  controller.listener.names=CONTROLLER
  inter.broker.listener.name=PLAINTEXT
  log.dirs=/var/lib/kafka/data
  # Topics are the controller's to create.
  auto.create.topics.enable=false
  offsets.topic.replication.factor=1
  offsets.topic.num.partitions=1
  transaction.state.log.replication.factor=1
  transaction.state.log.min.isr=1
  transaction.state.log.num.partitions=1
  share.coordinator.state.topic.replication.factor=1
  share.coordinator.state.topic.min.isr=1
  share.coordinator.state.topic.num.partitions=1
  group.initial.rebalance.delay.ms=0
  # Old samples are of no use to anyone.
  log.retention.ms=600000
  log.retention.check.interval.ms=60000
  log.segment.bytes=16777216
  log.cleaner.dedupe.buffer.size=4194304
log4j2.properties: |
  status = warn
  appender.out.type = Console
  appender.out.name = out
  appender.out.layout.type = PatternLayout
  appender.out.layout.pattern = %d{yyyy-MM-dd'T'HH:mm:ss.SSS} %-5p %c{1} %m%n
  rootLogger.level = info
  rootLogger.appenderRef.out.ref = out
{{- end -}}
