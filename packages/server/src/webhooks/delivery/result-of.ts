import type { OutboundResult } from '../../adapters/outbound-http.ts';
import type { Lease } from '../queries/lease-webhooks.ts';
import type { DueDelivery } from '../queries/read-due.ts';
import type { AttemptResult } from '../queries/record-attempts.ts';
import { retryDelay } from './retry-delay.ts';

/** What an attempt that began at a time means for its delivery. Takes the delays before each attempt in seconds. */
export function resultOf(
  { organizationId, webhookId, leaseToken, url }: Lease & { readonly url: string },
  { id, dueAt, tries }: DueDelivery,
  at: Date,
  outcome: OutboundResult,
  retrySchedule: readonly number[],
): AttemptResult {
  const delivery = { organizationId, webhookId, leaseToken, url, id, dueAt };
  const { statusCode, durationMs, error, body: responseBody } = outcome;
  const attempt = { at: at.toISOString(), statusCode, durationMs, error, responseBody };
  if (statusCode !== null && statusCode >= 200 && statusCode < 300 && error === null) {
    return { ...delivery, attempt, status: 'SUCCEEDED', delay: null, gone: false };
  }
  const gone = statusCode === 410;
  const delay = gone ? null : retryDelay(retrySchedule, tries + 1, outcome);
  return { ...delivery, attempt, status: delay === null ? 'FAILED' : 'PENDING', delay, gone };
}
