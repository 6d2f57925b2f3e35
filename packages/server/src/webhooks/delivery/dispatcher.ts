import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { OutboundHttp, OutboundResult } from '../../adapters/outbound-http.ts';
import type { Database } from '../../database/database.ts';
import { withDeadline } from '../../deadline.ts';
import { noMetrics, type Metrics } from '../../telemetry/metrics.ts';
import { claimDeliveries, type ClaimedDelivery } from '../queries/claim-deliveries.ts';
import type { AttemptResult } from '../queries/record-attempts.ts';
import { createRecorder } from './attempt-recorder.ts';
import { retryDelay } from './retry-delay.ts';
import { signatureHeaders } from './sign.ts';

/** Sends webhook deliveries. The database knows which are due; the dispatcher claims and attempts them. */
export interface Dispatcher {
  /** Claims due deliveries now, or after the claim in progress. Never throws. */
  notify(): void;
  /** Sends until nothing is due and no attempt is in progress. */
  tick(): Promise<void>;
  /** Stops claiming, gives attempts in progress two seconds to end, and returns unfinished deliveries to the queue. */
  stop(): Promise<void>;
}

/** The parts and settings of a dispatcher; times in seconds. */
export interface DispatcherParts {
  readonly database: Database;
  readonly outbound: OutboundHttp;
  /** The delay before each attempt, including the first. */
  readonly retrySchedule: readonly number[];
  readonly log: Logger;
  readonly metrics?: Metrics;
  /**
   * After this time without a result, another worker repeats an attempt. It must be longer than an attempt can last.
   */
  readonly leaseSeconds?: number;
}

const maximumInProgress = 50;
const maximumPerWebhook = 5;
/** How many successes may wait to be recorded before claiming pauses. */
const maximumUnrecorded = 100;
const batchMs = 2;
const graceMs = 2_000;

/** Creates a dispatcher. Several dispatchers, in one or several processes, may use one database. */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { database, outbound, retrySchedule, log, metrics = noMetrics, leaseSeconds = 60 } = parts;
  const inProgress = new Set<Promise<void>>();
  /** Leases of unrecorded successes. They do not count as in progress, so their webhooks get further deliveries. */
  const unrecorded = new Set<string>();
  const stopping = new AbortController();
  const recorder = createRecorder(database, log, stopping.signal);
  let claiming: Promise<void> | null = null;
  let batchTimer: NodeJS.Timeout | null = null;
  let isNotified = false;
  let isStopped = false;

  function notify(): void {
    if (isStopped) return;
    isNotified = true;
    claiming ??= claimWhileNotified();
  }

  /** One claim follows all attempts that end within a few milliseconds. */
  function notifySoon(): void {
    batchTimer ??= setTimeout(() => {
      batchTimer = null;
      notify();
    }, batchMs);
  }

  async function claimWhileNotified(): Promise<void> {
    while (isNotified) {
      isNotified = false;
      try {
        await claim();
      } catch (error) {
        log.error({ err: error }, 'could not claim due deliveries; retrying at the next poll');
      }
    }
    claiming = null;
  }

  async function claim(): Promise<void> {
    const free = unrecorded.size < maximumUnrecorded ? maximumInProgress - (inProgress.size - unrecorded.size) : 0;
    // If there is no room, the first attempt to end claims again.
    if (free === 0 || isStopped) return;
    const firstDelay = retrySchedule[0] ?? 0;
    const bounds = { most: free, mostPerWebhook: maximumPerWebhook, leaseSeconds, firstDelay, over: [...unrecorded] };
    for (const delivery of await claimDeliveries(database.em.fork(), bounds)) {
      const work = attempt(delivery).finally(() => {
        inProgress.delete(work);
        unrecorded.delete(delivery.leaseToken);
        notifySoon();
      });
      inProgress.add(work);
    }
  }

  async function attempt(delivery: ClaimedDelivery): Promise<void> {
    const { id, url, body, waitMs } = delivery;
    if (waitMs > 0) await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    const at = new Date();
    const headers = { 'content-type': 'application/json', ...signatureHeaders({ id, body }, delivery, at) };
    const outcome = await outbound.post(url, headers, body, stopping.signal);
    const wasCutOff = outcome.error !== null && stopping.signal.aborted;
    if (wasCutOff) return recorder.record(unattempted(delivery));
    const result = resultOf(delivery, at, outcome, retrySchedule);
    metrics.webhookAttempt(result.status === 'SUCCEEDED' ? 'succeeded' : 'failed', outcome.durationMs / 1000);
    if (result.status === 'SUCCEEDED') {
      unrecorded.add(delivery.leaseToken);
      notifySoon();
    }
    await recorder.record(result);
  }

  const isIdle = () => claiming === null && batchTimer === null && inProgress.size === 0;

  async function settle(): Promise<void> {
    while (!isIdle()) await Promise.all([claiming, ...inProgress, batchTimer && pause(batchMs)]);
  }

  return {
    notify,
    tick: () => {
      notify();
      return settle();
    },
    stop: async () => {
      isStopped = true;
      const settled = settle();
      await withDeadline(graceMs, settled);
      stopping.abort();
      await settled;
    },
  };
}

function resultOf(
  { organizationId, webhookId, id, leaseToken, tries }: ClaimedDelivery,
  at: Date,
  outcome: OutboundResult,
  retrySchedule: readonly number[],
): AttemptResult {
  const delivery = { organizationId, webhookId, id, leaseToken };
  const { statusCode, durationMs, error, body: responseBody } = outcome;
  const attempt = { at: at.toISOString(), statusCode, durationMs, error, responseBody };
  if (statusCode !== null && statusCode >= 200 && statusCode < 300 && error === null) {
    return { ...delivery, attempt, status: 'SUCCEEDED', delay: null, gone: false };
  }
  const gone = statusCode === 410;
  const delay = gone ? null : retryDelay(retrySchedule, tries + 1, outcome);
  return { ...delivery, attempt, status: delay === null ? 'FAILED' : 'PENDING', delay, gone };
}

function unattempted({ organizationId, webhookId, id, leaseToken }: ClaimedDelivery): AttemptResult {
  return { organizationId, webhookId, id, leaseToken, attempt: null, status: 'PENDING', delay: 0, gone: false };
}
