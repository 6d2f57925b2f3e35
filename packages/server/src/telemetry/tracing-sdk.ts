import { randomUUID } from 'node:crypto';
import { context, propagation, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  AsyncLocalStorageContextManager,
  BatchSpanProcessor,
  createOtlpHttpExportDelegate,
  ExportResultCode,
  httpAgentFactoryFromOptions,
  JsonTraceSerializer,
  OTLPExporterBase,
  ParentBasedSampler,
  resourceFromAttributes,
  TraceExporterMetricsHelper,
  TraceIdRatioBasedSampler,
  TracerProvider,
  W3CTraceContextPropagator,
  type Sampler,
  type SpanExporter,
} from '@runward/opentelemetry';
import type { Logger } from 'pino';
import { withDeadline } from '../deadline.ts';
import type { TracingSettings } from '../settings/tracing.ts';
import { version } from '../version.ts';
import { outsideTraces } from './tracing.ts';

/** An export that takes longer has failed. Others wait meanwhile, and spans that find no room are dropped. */
const exportMs = 10_000;
const flushMs = 2_000;
/** All spans that can wait are exported at once at the end, in batches of 512. */
const maximumBatches = 8;
const warnEveryMs = 60_000;

/** Starts to make and to export spans in this process. Returns a function that exports the last ones, within 2 s. */
export function startSdk(settings: TracingSettings, log: Pick<Logger, 'warn'>): () => Promise<void> {
  const { serviceName, sampler, ratio } = settings;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    sampler: samplerOf(sampler, ratio),
    spanProcessors: [new BatchSpanProcessor({ exporter: reporting(openExporter(settings), log) })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    // What could not be exported has been logged.
    await withDeadline(
      flushMs,
      provider.shutdown().catch(() => {}),
    );
    trace.disable();
    propagation.disable();
    context.disable();
  };
}

function samplerOf(name: TracingSettings['sampler'], ratio: number): Sampler {
  const own = name.endsWith('ratio')
    ? new TraceIdRatioBasedSampler(ratio)
    : name.endsWith('on')
      ? new AlwaysOnSampler()
      : new AlwaysOffSampler();
  return name.startsWith('parentbased') ? new ParentBasedSampler({ root: own }) : own;
}

/** Made of parts, because the exporter of the SDK would also read variables that are no settings of this service. */
function openExporter({ url, headers }: TracingSettings): SpanExporter {
  const delegate = createOtlpHttpExportDelegate(
    {
      url,
      headers: async () => ({ ...headers, 'content-type': 'application/json' }),
      timeoutMillis: exportMs,
      concurrencyLimit: maximumBatches,
      compression: 'none',
      agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
    },
    JsonTraceSerializer,
    'otlp_http_span_exporter',
    TraceExporterMetricsHelper,
    undefined,
  );
  return new OTLPExporterBase(delegate);
}

/** Logs that spans cannot be exported, at most once a minute. */
function reporting(exporter: SpanExporter, log: Pick<Logger, 'warn'>): SpanExporter {
  let warnedAt = -Infinity;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const now = performance.now();
        if (result.code !== ExportResultCode.SUCCESS && now - warnedAt >= warnEveryMs) {
          warnedAt = now;
          // A span that ended has begun the export, but has nothing to do with it.
          outsideTraces(() => log.warn({ err: result.error }, 'could not export traces; these spans are lost'));
        }
        done(result);
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
