{{- define "flotilla.labels" -}}
app.kubernetes.io/name: flotilla
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "flotilla.name" -}}
{{ printf "%s-%s" .root.Release.Name .role | trunc 52 | trimSuffix "-" }}
{{- end }}

{{/* Labels of all that a role has, with the version, which selectors must not name. */}}
{{- define "flotilla.meta" -}}
name: {{ include "flotilla.name" . }}
labels:
  {{- include "flotilla.labels" . | nindent 2 }}
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- end }}

{{/* The secrets that a role needs, and no other. */}}
{{- define "flotilla.envFrom" -}}
{{- $secrets := .root.Values.secrets }}
{{- $of := dict "intake" (list $secrets.webhook) "controller" (list $secrets.app) "web" (list $secrets.web) "runner" (list $secrets.model) }}
{{- range concat (list $secrets.database) (get $of .role) }}
- secretRef: { name: {{ . | quote }} }
{{- end }}
{{- end }}

{{- define "flotilla.env" -}}
{{- range $name, $value := .root.Values.env }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
- name: FLOTILLA_NODE
  valueFrom: { fieldRef: { fieldPath: metadata.name } }
# Flotilla makes this directory: the volume itself belongs to its group, and a data directory must not.
- { name: FLOTILLA_DATA_DIR, value: /data/flotilla }
{{- end }}

{{- define "flotilla.container" -}}
- name: flotilla
  image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args: [serve, --role, {{ .role }}]
  env:
    {{- include "flotilla.env" . | nindent 4 }}
  envFrom:
    {{- include "flotilla.envFrom" . | nindent 4 }}
  resources:
    {{- toYaml (get .root.Values .role).resources | nindent 4 }}
  volumeMounts:
    - { name: data, mountPath: /data }
    - { name: tmp, mountPath: /tmp }
    - { name: config, mountPath: /etc/flotilla/config.yaml, subPath: config.yaml, readOnly: true }
{{- end }}

{{- define "flotilla.pod" -}}
# Agents and everybody who breaks out find no token of the cluster.
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: { runAsUser: 10001, runAsGroup: 10001, fsGroup: 10001, runAsNonRoot: true }
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "flotilla.labels" . | nindent 8 }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}
