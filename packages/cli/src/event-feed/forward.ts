import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryPayload } from '@runward/contract';
import { sign } from '@runward/webhooks';
import { version } from '../version.ts';

/** Where events are forwarded to, and the secret they are signed with. */
export interface Receiver {
  readonly url: URL;
  readonly secret: string;
}

/** How events are forwarded. */
export interface ForwardOptions {
  readonly stop: AbortSignal;
  readonly info: (message: string) => void;
}

/** The result of the last attempt to forward an event. */
export interface Forwarding {
  /** Whether the receiver responded with a 2xx. */
  readonly forwarded: boolean;
  /** Null if there was no response. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** The start of an error response, or why there was no response. */
  readonly error: string | null;
}

const timeoutMs = 10_000;
const retryDelaysMs = [500, 1_000, 2_000];
const maximumErrorLength = 200;

/** Sends an event like the service, up to four times. Null if stopped before the receiver accepted it. */
export async function forward(
  event: DeliveryPayload,
  receiver: Receiver,
  { stop, info }: ForwardOptions,
): Promise<Forwarding | null> {
  for (let attempt = 0; ; attempt += 1) {
    const forwarding = await post(JSON.stringify(event), receiver);
    const delayMs = retryDelaysMs[attempt];
    if (forwarding.forwarded || delayMs === undefined) return forwarding;
    if (stop.aborted) return null;
    info(`${event.event} ${event.deliveryId}: ${errorOf(forwarding)}. Retrying in ${delayMs / 1000} s.`);
    await sleep(delayMs, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) return null;
  }
}

/** Why an event could not be forwarded, in a few words. */
export function errorOf({ statusCode, error }: Forwarding): string {
  if (statusCode === null) return error ?? 'no response';
  return `the receiver responded with ${statusCode}${error ? `: ${error}` : ''}`;
}

async function post(body: string, { url, secret }: Receiver): Promise<Forwarding> {
  const start = performance.now();
  const elapsedMs = () => Math.round(performance.now() - start);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...(await sign(body, { secret })), 'user-agent': `runward-cli/${version}` },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const { ok: forwarded, status: statusCode } = response;
    const error = forwarded ? null : isRedirect(statusCode) ? 'redirects are not followed' : startOf(text);
    return { forwarded, statusCode, durationMs: elapsedMs(), error };
  } catch (error) {
    return { forwarded: false, statusCode: null, durationMs: elapsedMs(), error: reasonOf(error) };
  }
}

function isRedirect(statusCode: number): boolean {
  return statusCode >= 300 && statusCode < 400;
}

function startOf(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : trimmed.slice(0, maximumErrorLength);
}

// fetch only says "fetch failed"; the reason is in its cause. For a host with several addresses, the cause has only a
// code.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`;
  if (!(error.cause instanceof Error)) return error.message;
  return error.cause.message || String((error.cause as NodeJS.ErrnoException).code);
}
