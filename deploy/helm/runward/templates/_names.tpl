{{- define "runward.name" -}}
{{- if contains "runward" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-runward" (.Release.Name | trunc 32 | trimSuffix "-") }}{{ end -}}
{{- end }}

{{/* The labels by which the pods of this release are found, without their component. */}}
{{- define "runward.selector" -}}
app.kubernetes.io/name: runward
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* The labels of all objects. */}}
{{- define "runward.labels" -}}
{{ include "runward.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "runward.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "runward.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (ternary (include "runward.name" .) "default" .Values.serviceAccount.create) }}
{{- end }}

{{/* The labels of the PostgreSQL of this chart. */}}
{{- define "runward.postgresqlSelector" -}}
app.kubernetes.io/name: runward-postgresql
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
