{{/* Fails with what is wrong with the values, and what to do. */}}
{{- define "runward.check" -}}
{{- $v := .Values -}}
{{- $databases := 0 -}}
{{- range list $v.database.url $v.database.existingSecret.name $v.postgresql.enabled }}{{ if . }}{{ $databases = add1 $databases }}{{ end }}{{ end -}}
{{- if eq (int $databases) 0 }}{{ fail "database: must be given; set database.url, or database.existingSecret.name, or postgresql.enabled to try the service" }}{{ end -}}
{{- if gt (int $databases) 1 }}{{ fail "database: must be given once; set only one of database.url, database.existingSecret.name and postgresql.enabled" }}{{ end -}}
{{- if and $v.postgresql.enabled (not $v.postgresql.password) }}{{ fail "postgresql.password: must be set with postgresql.enabled; make one with: openssl rand -hex 24" }}{{ end -}}
{{- if and $v.migration.database.url $v.migration.database.existingSecret.name }}{{ fail "migration.database: must be given once; set only one of migration.database.url and migration.database.existingSecret.name" }}{{ end -}}
{{- if and $v.ingress.enabled (not $v.ingress.host) }}{{ fail "ingress.host: must be set with ingress.enabled, to the name that clients use" }}{{ end -}}
{{- if not (include "runward.baseUrl" .) }}{{ fail "baseUrl: must be set to the URL that clients use, like https://runward.example.com, or enable the ingress" }}{{ end -}}
{{- if and (empty $v.existingSecret.name) $v.existingSecret.keys }}{{ fail "existingSecret.name: must be set with existingSecret.keys" }}{{ end -}}
{{- if and $v.existingSecret.name (empty $v.existingSecret.keys) }}{{ fail "existingSecret.keys: must name the keys to use with existingSecret.name, like SMTP_URL" }}{{ end -}}
{{- range $v.existingSecret.keys }}{{ if hasKey $v.secrets . }}{{ fail (printf "secrets.%s: must not be set together with the same key in existingSecret.keys; remove one of them" .) }}{{ end }}{{ end -}}
{{- $several := or (gt (int $v.api.replicas) 1) (gt (int $v.worker.replicas) 1) $v.api.autoscaling.enabled -}}
{{- if and $several (eq (include "runward.onOneNode" .) "true") }}{{ fail "persistence.accessMode: must be ReadWriteMany for more than one pod of the API or the worker, which share their files; or set files.url to a bucket" }}{{ end -}}
{{- if and $v.api.autoscaling.enabled (gt (int $v.api.autoscaling.minReplicas) (int $v.api.autoscaling.maxReplicas)) }}{{ fail "api.autoscaling.minReplicas: must not exceed api.autoscaling.maxReplicas" }}{{ end -}}
{{- end }}

{{- define "runward.baseUrl" -}}
{{- if .Values.baseUrl }}{{ .Values.baseUrl }}{{ else if .Values.ingress.enabled }}{{ ternary "https" "http" (not (empty .Values.ingress.tlsSecret)) }}://{{ .Values.ingress.host }}{{ end -}}
{{- end }}

{{/* "true" if pods share a volume that only one node can use at a time. */}}
{{- define "runward.onOneNode" -}}
{{- and (empty .Values.files.url) (eq .Values.persistence.accessMode "ReadWriteOnce") -}}
{{- end }}

{{/* "true" if a job migrates the database before the service starts. */}}
{{- define "runward.hasMigrationJob" -}}
{{- and .Values.migration.enabled (not .Values.postgresql.enabled) -}}
{{- end }}

{{/* A setting as text. Numbers above a million would otherwise be written like 2e+07. */}}
{{- define "runward.text" -}}
{{- if and (kindIs "float64" .) (eq (toString (floor .)) (toString .)) }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
{{- end }}

{{/* The plain settings of the service as YAML. */}}
{{- define "runward.config" -}}
{{- if .Values.ingress.enabled }}{{ if not (hasKey .Values.config "TRUST_PROXY") }}
TRUST_PROXY: '1'
{{- end }}{{ end }}
{{- range $name, $value := .Values.config }}
{{ $name }}: {{ include "runward.text" $value | quote }}
{{- end }}
BASE_URL: {{ include "runward.baseUrl" . | quote }}
METRICS_PORT: {{ .Values.metrics.port | quote }}
MIGRATE_ON_START: {{ ne (include "runward.hasMigrationJob" .) "true" | quote }}
{{- with .Values.files.url }}
FILES_URL: {{ . | quote }}
{{- end }}
{{- end }}

{{/* The secrets that the chart keeps itself, as YAML. */}}
{{- define "runward.ownSecrets" -}}
{{- if .Values.postgresql.enabled }}
DATABASE_URL: {{ printf "postgres://runward:%s@%s-postgresql:5432/runward" .Values.postgresql.password (include "runward.name" .) | quote }}
{{- else if .Values.database.url }}
DATABASE_URL: {{ .Values.database.url | quote }}
{{- end }}
{{- range $name, $value := .Values.secrets }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* The names of all secrets, separated by spaces. */}}
{{- define "runward.secretNames" -}}
{{- concat (list "DATABASE_URL") (keys .Values.secrets) .Values.existingSecret.keys | sortAlpha | join " " -}}
{{- end }}

{{/* The sources of the volume with secrets: one file for each, with the name of its variable. */}}
{{- define "runward.secretSources" -}}
{{- if include "runward.ownSecrets" . | trim }}
- secret: { name: {{ include "runward.name" . }} }
{{- end }}
{{- with .Values.database.existingSecret }}{{ if .name }}
- secret:
    name: {{ .name }}
    items: [{ key: {{ .key }}, path: DATABASE_URL }]
{{- end }}{{ end }}
{{- with .Values.existingSecret }}{{ if .name }}
- secret:
    name: {{ .name }}
    items:
      {{- range .keys }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end }}{{ end }}
{{- end }}
