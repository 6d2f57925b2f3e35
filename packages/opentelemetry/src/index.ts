/** What the service uses of the OpenTelemetry SDK. */
export { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
export { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
export { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
export { createOtlpHttpExportDelegate, httpAgentFactoryFromOptions } from '@opentelemetry/otlp-exporter-base/node-http';
export { JsonTraceSerializer, TraceExporterMetricsHelper } from '@opentelemetry/otlp-transformer';
export { resourceFromAttributes } from '@opentelemetry/resources';
export {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
