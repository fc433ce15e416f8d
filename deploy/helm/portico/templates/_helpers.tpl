{{- define "portico.labels" -}}
app.kubernetes.io/name: portico
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* The pod of one role. Call it with (dict "root" $ "role" "api" "part" .Values.api). */}}
{{- define "portico.pod" -}}
metadata:
  labels:
    {{- include "portico.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
  annotations:
    # A change of the settings replaces the pods.
    checksum/settings: {{ toYaml .root.Values.settings | sha256sum }}
spec:
  # Portico ends within 30 seconds of SIGTERM.
  terminationGracePeriodSeconds: 60
  automountServiceAccountToken: false
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    seccompProfile: { type: RuntimeDefault }
  containers:
    - name: portico
      image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag }}"
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: ["--role", "{{ .role }}"]
      ports:
        - { name: http, containerPort: 4400 }
      envFrom:
        - secretRef: { name: {{ .root.Values.existingSecret }} }
        - configMapRef: { name: {{ .root.Release.Name }}-settings }
      securityContext:
        readOnlyRootFilesystem: true
        allowPrivilegeEscalation: false
        capabilities: { drop: [ALL] }
      {{- if eq .role "api" }}
      lifecycle:
        # While the pod stops, Kubernetes removes it from the service. Until that is done, the pod still accepts new requests.
        preStop: { exec: { command: ["node", "-e", "setTimeout(() => {}, 10000)"] } }
      {{- end }}
      # The first process of a release runs the migrations before it listens.
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        failureThreshold: 300
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 3
        timeoutSeconds: 3
        failureThreshold: 2
      resources:
        {{- toYaml .part.resources | nindent 8 }}
{{- end }}
