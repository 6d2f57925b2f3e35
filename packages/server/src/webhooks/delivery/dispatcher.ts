import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import { claimDeliveries, type ClaimedDelivery } from './claim-deliveries.ts';
import type { AttemptResult } from './record-attempts.ts';
import { signatureHeaders } from './sign.ts';
import type { OutboundAnswer, OutboundHttp } from '../../adapters/outbound-http.ts';
import { noMetrics, type Metrics } from '../../telemetry/metrics.ts';
import { createRecorder } from './attempt-recorder.ts';
import { retryDelay } from './retry-delay.ts';

/** Brings events to webhooks. What is due stands in the database; this only looks there and works. */
export interface Dispatcher {
  /** Has it look for due deliveries at once. Never throws; many calls at a time are one. */
  notify(): void;
  /** Sends until nothing is due and nothing is under way. */
  tick(): Promise<void>;
  /** Claims no more, gives attempts under way two seconds to end and gives back what is left. */
  stop(): Promise<void>;
}

/** What a dispatcher needs; times in seconds. */
export interface DispatcherParts {
  readonly database: Database;
  readonly outbound: OutboundHttp;
  /** The delay before each attempt, the first included. */
  readonly retrySchedule: readonly number[];
  readonly log: Logger;
  readonly metrics?: Metrics;
  /** How long an attempt may stay without a result before another worker repeats it; longer than an attempt can last. */
  readonly leaseSeconds?: number;
}

const most = 50;
const mostPerWebhook = 5;
/** How many successes may wait to be written down before no more is claimed. */
const mostSucceeded = 100;
const gatherMs = 2;
const graceMs = 2_000;

/** Makes a dispatcher. Several, in one process or many, may work on one database. */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { database, outbound, retrySchedule, log, metrics = noMetrics, leaseSeconds = 60 } = parts;
  const underWay = new Set<Promise<void>>();
  /** Leases of successes that are being written down: their webhooks may get the next deliveries meanwhile. */
  const succeeded = new Set<string>();
  const cut = new AbortController();
  const recorder = createRecorder(database, log, cut.signal);
  let looking: Promise<void> | null = null;
  let soon: NodeJS.Timeout | null = null;
  let wanted = false;
  let stopped = false;

  function notify(): void {
    if (stopped) return;
    wanted = true;
    looking ??= look();
  }

  /** Attempts that end within a moment make room for one claim together. */
  function nudgeSoon(): void {
    soon ??= setTimeout(() => {
      soon = null;
      notify();
    }, gatherMs);
  }

  async function look(): Promise<void> {
    while (wanted) {
      wanted = false;
      try {
        await claim();
      } catch (error) {
        log.error({ err: error }, 'could not claim due deliveries; retrying at the next poll');
      }
    }
    looking = null;
  }

  async function claim(): Promise<void> {
    const free = succeeded.size < mostSucceeded ? most - (underWay.size - succeeded.size) : 0;
    // Whichever attempt ends first looks again.
    if (free === 0 || stopped) return;
    const firstDelay = retrySchedule[0] ?? 0;
    const bounds = { most: free, mostPerWebhook, leaseSeconds, firstDelay, over: [...succeeded] };
    for (const delivery of await claimDeliveries(database.em.fork(), bounds)) {
      const work = attempt(delivery).finally(() => {
        underWay.delete(work);
        succeeded.delete(delivery.leaseToken);
        nudgeSoon();
      });
      underWay.add(work);
    }
  }

  async function attempt(delivery: ClaimedDelivery): Promise<void> {
    const { id, url, body, waitMs } = delivery;
    if (waitMs > 0) await pause(waitMs, undefined, { signal: cut.signal }).catch(() => {});
    const at = new Date();
    const headers = { 'content-type': 'application/json', ...signatureHeaders({ id, body }, delivery, at) };
    const answer = await outbound.post(url, headers, body, cut.signal);
    const wasCut = answer.error !== null && cut.signal.aborted;
    if (wasCut) return recorder.record(givenBack(delivery));
    const result = resultOf(delivery, at, answer, retrySchedule);
    metrics.webhookAttempt(result.status === 'SUCCEEDED' ? 'succeeded' : 'failed', answer.durationMs / 1000);
    if (result.status === 'SUCCEEDED') {
      succeeded.add(delivery.leaseToken);
      nudgeSoon();
    }
    await recorder.record(result);
  }

  const isIdle = () => looking === null && soon === null && underWay.size === 0;

  async function settle(): Promise<void> {
    while (!isIdle()) await Promise.all([looking, ...underWay, soon && pause(gatherMs)]);
  }

  return {
    notify,
    tick: () => {
      notify();
      return settle();
    },
    stop: async () => {
      stopped = true;
      const settled = settle();
      await Promise.race([settled, pause(graceMs, undefined, { ref: false })]);
      cut.abort();
      await settled;
    },
  };
}

function resultOf(
  { webhookId, id, leaseToken, tries }: ClaimedDelivery,
  at: Date,
  answer: OutboundAnswer,
  retrySchedule: readonly number[],
): AttemptResult {
  const { statusCode, durationMs, error, body: responseBody } = answer;
  const attempt = { at: at.toISOString(), statusCode, durationMs, error, responseBody };
  if (statusCode !== null && statusCode >= 200 && statusCode < 300 && error === null) {
    return { webhookId, id, leaseToken, attempt, status: 'SUCCEEDED', delay: null, gone: false };
  }
  const gone = statusCode === 410;
  const delay = gone ? null : retryDelay(retrySchedule, tries + 1, answer);
  return { webhookId, id, leaseToken, attempt, status: delay === null ? 'FAILED' : 'PENDING', delay, gone };
}

function givenBack({ webhookId, id, leaseToken }: ClaimedDelivery): AttemptResult {
  return { webhookId, id, leaseToken, attempt: null, status: 'PENDING', delay: 0, gone: false };
}
