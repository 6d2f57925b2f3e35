{{/* What all pods with the image have: the user of the Dockerfile, no token, no variables of other services. */}}
{{- define "runward.podBasics" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "runward.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* The template of the pods of a role: a dict with root, role, and resources. */}}
{{- define "runward.pod" -}}
{{- $root := .root -}}
metadata:
  labels:
    {{- include "runward.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
    runward/metrics: 'true'
  annotations:
    # New settings replace the pods.
    runward/settings: {{ printf "%s%s" (include "runward.config" $root) (include "runward.ownSecrets" $root) | sha256sum }}
spec:
  serviceAccountName: {{ include "runward.serviceAccount" $root }}
  {{- include "runward.podBasics" $root | trim | nindent 2 }}
  # 5 s before SIGTERM, and the 25 s that the process then has.
  terminationGracePeriodSeconds: 40
  {{- if eq (include "runward.onOneNode" $root) "true" }}
  affinity:
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        - topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels: {{- include "runward.selector" $root | nindent 14 }}
            matchExpressions: [{ key: app.kubernetes.io/component, operator: In, values: [api, worker] }]
  {{- else }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "runward.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ .role }}
  {{- end }}
  containers:
    - name: {{ .role }}
      image: {{ include "runward.image" $root | quote }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      securityContext: {{- include "runward.containerSecurity" $root | nindent 8 }}
      envFrom: [{ configMapRef: { name: {{ include "runward.name" $root }} } }]
      env:
        - { name: ROLE, value: {{ .role }} }
        {{- range splitList " " (include "runward.secretNames" $root) }}
        - { name: {{ . }}_FILE, value: /run/secrets/runward/{{ . }} }
        {{- end }}
      ports:
        - { name: http, containerPort: 3000 }
        - { name: metrics, containerPort: {{ $root.Values.metrics.port }} }
      startupProbe:
        httpGet: { path: /health/live, port: http }
        periodSeconds: 5
        # Five minutes, for migrations at the start.
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /health/live, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /health/ready, port: http }
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      # The process closes its port at SIGTERM. Until then, all nodes learn that no requests go to this pod any more.
      lifecycle: { preStop: { exec: { command: [sleep, '5'] } } }
      resources: {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
        - { name: secrets, mountPath: /run/secrets/runward, readOnly: true }
  volumes:
    - name: data
      {{- if $root.Values.files.url }}
      emptyDir: {}
      {{- else }}
      persistentVolumeClaim: { claimName: {{ $root.Values.persistence.existingClaim | default (include "runward.name" $root) }} }
      {{- end }}
    - { name: tmp, emptyDir: {} }
    - name: secrets
      projected:
        defaultMode: 0440
        sources: {{- include "runward.secretSources" $root | trim | nindent 10 }}
{{- end }}
