import type { IncomingHttpHeaders } from 'node:http';
import { context, propagation, ROOT_CONTEXT, SpanKind, trace, type Span } from '@opentelemetry/api';
import { fail, startSpan } from './tracing.ts';

/** A request that begins. */
export interface BegunRequest {
  readonly method: string;
  readonly scheme: string;
  readonly headers: IncomingHttpHeaders;
}

/** A request that has ended. */
export interface EndedRequest {
  /** The template of its path; undefined if it has none. */
  readonly route: string | undefined;
  /** Its path without tokens. */
  readonly path: string | undefined;
  /** The name in the contract, like `runs.list`. */
  readonly operation: string | undefined;
  /** Null if the client disconnected before the response. */
  readonly status: number | null;
  readonly organizationId: string | undefined;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Runs the work on a request in a span, which is a part of the trace that the request names, or begins one. A trace
 * that begins here and is not exported follows the request no further, because that costs time and its id leads
 * nowhere. The work calls `ended` once, when the response has been sent.
 */
export function inRequestSpan<Result>(
  { method, scheme, headers }: BegunRequest,
  work: (ended: (request: EndedRequest) => void) => Result,
): Result {
  const known = methods.has(method);
  const attributes = { 'http.request.method': known ? method : '_OTHER', 'url.scheme': scheme };
  const name = known ? method : 'HTTP';
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  const span = startSpan(name, { kind: SpanKind.SERVER, attributes, parent });
  const traced = () => work((request) => end(span, name, request));
  const isFollowed = span.isRecording() || trace.getSpanContext(parent) !== undefined;
  return isFollowed ? context.with(trace.setSpan(parent, span), traced) : traced();
}

function end(span: Span, name: string, { route, path, operation, status, organizationId }: EndedRequest): void {
  if (route !== undefined) span.updateName(`${name} ${route}`).setAttribute('http.route', route);
  if (path !== undefined) span.setAttribute('url.path', path);
  if (operation !== undefined) span.setAttribute('runward.operation', operation);
  if (organizationId !== undefined) span.setAttribute('runward.organization.id', organizationId);
  if (status !== null) span.setAttribute('http.response.status_code', status);
  if (status === null) fail(span, 'aborted');
  else if (status >= 500) fail(span, String(status));
  span.end();
}
