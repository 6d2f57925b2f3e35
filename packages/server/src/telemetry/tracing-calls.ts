import { SpanKind, type Attributes } from '@opentelemetry/api';
import { fail, inSpan, inTrace, traceHeaders } from './tracing.ts';

/** The result of an attempt to deliver. A success has a 2xx `statusCode` and no `error`. */
interface Attempted {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly timedOut: boolean;
}

/** An attempt to deliver an event. */
export interface Attempt {
  readonly url: string;
  readonly organizationId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
}

/**
 * Makes an attempt in a trace of its own. `send` gets the headers that name the trace to the receiver. The URL is not
 * exported, because receivers may have put a secret into it.
 */
export function inAttemptSpan<Result extends Attempted>(
  { url, organizationId, webhookId, deliveryId }: Attempt,
  send: (headers: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  return inTrace('POST webhook', { kind: SpanKind.CLIENT }, async (span) => {
    if (span.isRecording()) {
      span.setAttributes({
        'http.request.method': 'POST',
        ...serverOf(url),
        'runward.organization.id': organizationId,
        'runward.webhook.id': webhookId,
        'runward.delivery.id': deliveryId,
      });
    }
    const result = await send(traceHeaders());
    const { statusCode, error, timedOut } = result;
    if (statusCode !== null) span.setAttribute('http.response.status_code', statusCode);
    const isSuccess = error === null && statusCode !== null && statusCode >= 200 && statusCode < 300;
    if (!isSuccess) fail(span, timedOut ? 'timeout' : (statusCode?.toString() ?? '_OTHER'));
    return result;
  });
}

/** Sends a mail to the mail server at a URL in a span. Neither the mail nor its recipient is exported. */
export function inMailSpan<Result extends { readonly outcome: 'ACCEPTED' | 'REJECTED' | 'FAILED' }>(
  url: string,
  send: () => Promise<Result>,
): Promise<Result> {
  return inSpan('send mail', { kind: SpanKind.CLIENT }, async (span) => {
    if (span.isRecording()) span.setAttributes({ 'network.protocol.name': 'smtp', ...serverOf(url) });
    const result = await send();
    if (result.outcome !== 'ACCEPTED') fail(span, result.outcome.toLowerCase());
    return result;
  });
}

/** The host and the port of a URL, which has no more that may be exported. */
function serverOf(url: string): Attributes {
  const { hostname = '', port = '' } = URL.parse(url) ?? {};
  return { 'server.address': hostname, ...(port !== '' && { 'server.port': Number(port) }) };
}
