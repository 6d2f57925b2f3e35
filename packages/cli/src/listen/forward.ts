import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryPayload } from '@runward/contract';
import { sign } from '@runward/webhooks';
import { note } from '../terminal/notes.ts';
import { version } from '../version.ts';

/** Where events go, and what they are signed with. */
export interface Target {
  readonly url: URL;
  readonly secret: string;
}

/** What the last attempt to forward an event brought. */
export interface Forwarding {
  /** Whether the receiver answered with a 2xx. */
  readonly forwarded: boolean;
  /** Null where no answer came. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** What went wrong: the start of the answer, or why there is none. */
  readonly error: string | null;
}

const timeoutMs = 10_000;
const pausesMs = [500, 1_000, 2_000];
const mostErrorLength = 200;

/** Sends an event as the service would, up to four times. Null when it was stopped before the event arrived. */
export async function forward(event: DeliveryPayload, target: Target, stop: AbortSignal): Promise<Forwarding | null> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await post(JSON.stringify(event), target);
    const waitMs = pausesMs[attempt];
    if (outcome.forwarded || waitMs === undefined) return outcome;
    if (stop.aborted) return null;
    note(`${event.event} ${event.deliveryId}: ${problemOf(outcome)}. Again in ${waitMs / 1000} s.`);
    await pause(waitMs, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) return null;
  }
}

/** Why an event was not taken, in a few words. */
export function problemOf({ statusCode, error }: Forwarding): string {
  if (statusCode === null) return error ?? 'no answer';
  return `the receiver answered ${statusCode}${error ? `: ${error}` : ''}`;
}

async function post(body: string, { url, secret }: Target): Promise<Forwarding> {
  const start = performance.now();
  const since = () => Math.round(performance.now() - start);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...(await sign(body, { secret })), 'user-agent': `runward-cli/${version}` },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = await response.text();
    const { ok: forwarded, status: statusCode } = response;
    const error = forwarded ? null : isRedirect(statusCode) ? 'redirects are not followed' : startOf(answer);
    return { forwarded, statusCode, durationMs: since(), error };
  } catch (error) {
    return { forwarded: false, statusCode: null, durationMs: since(), error: reasonOf(error) };
  }
}

function isRedirect(statusCode: number): boolean {
  return statusCode >= 300 && statusCode < 400;
}

function startOf(answer: string): string | null {
  const text = answer.trim();
  return text === '' ? null : text.slice(0, mostErrorLength);
}

// fetch says just "fetch failed"; its cause knows more, for a name with several addresses only as a code.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  if (!(error.cause instanceof Error)) return error.message;
  return error.cause.message || String((error.cause as NodeJS.ErrnoException).code);
}
