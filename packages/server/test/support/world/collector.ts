import { openServer, type Received } from '@runward/testing/http-server';
import { until } from '@runward/testing/until';

/** A span as a receiver of traces gets it. Its kind is that of OTLP: 1 internal, 2 server, 3 client. */
export interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  /** The code is 2 if the work failed. */
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** A receiver of traces on loopback. */
export interface Collector extends AsyncDisposable {
  readonly baseUrl: string;
  readonly received: readonly Received[];
  spans(): readonly ExportedSpan[];
  /** Waits for a span and resolves with it. */
  span(what: string, isWanted: (span: ExportedSpan) => boolean): Promise<ExportedSpan>;
}

interface Pair {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

type RawSpan = Omit<ExportedSpan, 'attributes'> & { readonly attributes: readonly Pair[] };

interface ExportRequest {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[] }[];
}

/** Starts a receiver that speaks OTLP over HTTP, as JSON. */
export async function startCollector(): Promise<Collector> {
  const server = await openServer((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  );
  const spans = () => server.received.flatMap(({ body }) => spansIn(JSON.parse(body) as ExportRequest));
  return {
    ...server,
    spans,
    span: (what, isWanted) => until(() => spans().find(isWanted), `the span of ${what}`),
  };
}

function spansIn({ resourceSpans }: ExportRequest): ExportedSpan[] {
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)).map(withPlainAttributes);
}

function withPlainAttributes({ attributes, ...span }: RawSpan): ExportedSpan {
  const pairs = attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']);
  return { ...span, attributes: Object.fromEntries(pairs) as ExportedSpan['attributes'] };
}
