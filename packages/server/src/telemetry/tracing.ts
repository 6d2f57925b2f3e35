import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { version } from '../version.ts';

/** How a span begins. */
export interface SpanStart {
  /** Default: work inside of the process. */
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** What it is a part of. Default: the span in which it begins. */
  readonly parent?: Context;
}

/** Starts a span, in which nothing runs yet. The caller ends it. */
export function startSpan(
  name: string,
  { kind = SpanKind.INTERNAL, attributes = {}, parent = context.active() }: SpanStart,
): Span {
  return trace.getTracer('runward', version).startSpan(name, { kind, attributes }, parent);
}

/** Runs the work in a span, which has failed if the work throws. Without tracing, just runs the work. */
export async function inSpan<Result>(
  name: string,
  start: SpanStart,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, start);
  try {
    return await context.with(trace.setSpan(start.parent ?? context.active(), span), work, undefined, span);
  } catch (error) {
    failSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Runs the work in a span of its own trace, because what it does belongs to no request. */
export function inTrace<Result>(
  name: string,
  start: Omit<SpanStart, 'parent'>,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return inSpan(name, { ...start, parent: ROOT_CONTEXT }, work);
}

/**
 * Runs one step of a traced request or job in a span. Outside of these, and of a trace that is not exported, just runs
 * it.
 */
export function inStep<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return trace.getActiveSpan()?.isRecording() ? inSpan(name, {}, work) : work();
}

/** Runs work that serves several requests or jobs, such as a loop that one of them has started, as a part of none. */
export function outsideTraces<Result>(work: () => Result): Result {
  return context.with(ROOT_CONTEXT, work);
}

/**
 * Marks a span as failed, with a word or number for the cause: no message, which can contain values. What the caller of
 * an endpoint did wrong is no failure of the service.
 */
function failSpan(span: Span, error: unknown): void {
  const {
    code,
    status,
    name = '_OTHER',
  }: Partial<Record<'code' | 'status', unknown>> & { name?: string } = error instanceof Error ? error : {};
  if (typeof status === 'number' && status < 500) return;
  fail(span, typeof code === 'string' ? code : name);
}

/** Marks a span as failed, with a word or number for the cause. */
export function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

/** Marks the span in which this is called as failed, for a failure that is not thrown any further. */
export function failActiveSpan(error: unknown): void {
  const span = trace.getActiveSpan();
  if (span) failSpan(span, error);
}

/** The headers that make a request a part of the trace in which this is called; none outside of traces. */
export function traceHeaders(): Record<string, string> {
  const headers = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** The id of the trace in which this is called; undefined outside of traces. */
export function activeTraceId(): string | undefined {
  const spanContext = trace.getActiveSpan()?.spanContext();
  return spanContext && trace.isSpanContextValid(spanContext) ? spanContext.traceId : undefined;
}
