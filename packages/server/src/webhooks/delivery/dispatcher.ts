import { withDeadline } from '../../deadline.ts';
import { noMetrics } from '../../telemetry/metrics.ts';
import { inAttemptSpan } from '../../telemetry/tracing-calls.ts';
import { leaseWebhooks, wantWebhook, type LeaseBounds } from '../queries/lease-webhooks.ts';
import type { DueDelivery, LeasedWebhook } from '../queries/read-due.ts';
import { recordAttempts, type AttemptResult } from '../queries/record-attempts.ts';
import { capacityOf, mayAttempt } from './capacity.ts';
import type { DispatcherParts } from './dispatcher-parts.ts';
import {
  fill,
  freshMs,
  hasRoom,
  isDue,
  isLow,
  isOver,
  isPressing,
  leastBusy,
  leave,
  newlyHeld,
  release,
  take,
  type HeldWebhook,
} from './held-webhook.ts';
import { readDeliveries } from './read-deliveries.ts';
import { resultOf } from './result-of.ts';
import { signatureHeaders } from './sign.ts';
import { createTimer } from './timer.ts';

/**
 * Sends webhook deliveries. The database knows which are due. The dispatcher leases their webhooks, sends their
 * deliveries, and gives them back.
 */
export interface Dispatcher {
  /** Looks for due deliveries soon. Never throws. */
  notify(): void;
  /** Sends until nothing is due and no attempt is in progress. */
  tick(): Promise<void>;
  /** Leases no more webhooks, gives attempts in progress two seconds to end, and gives all webhooks back. */
  stop(): Promise<void>;
}

/** How many deliveries of a webhook are read at once. Fewer are read if it is too slow to get that many in a second. */
const batchSize = 100;
const smallBatchSize = 20;
/** Deliveries of commits within this time are read together. */
const turnMs = 5;
/** Turns that nothing waits for are so far apart, so that they do more at once under light load. */
const spacingMs = 25;
/** How long results are kept that cannot be recorded. After that, their deliveries are attempted again. */
const keptMs = 30_000;
const retryMs = 500;
const graceMs = 2_000;

/** Creates a dispatcher. Several dispatchers, in one or several processes, may use one database. */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { database, outbound, retrySchedule, log, metrics = noMetrics, leaseSeconds = 15 } = parts;
  const firstDelay = retrySchedule[0] ?? 0;
  const held = new Map<string, HeldWebhook>();
  let ended: (AttemptResult & { readonly held: HeldWebhook })[] = [];
  let inProgress = 0;
  /** Whether webhooks may be waiting that nobody holds, and after which one they are looked for. */
  let isCalled = false;
  let after: LeaseBounds['after'] = null;
  /** The organizations whose webhooks were not looked for, because they used as much as was free. */
  let skipped: ReadonlySet<string> = new Set();
  /** When this worker last looked whether others have too much to do. */
  let balancedAt = 0;
  let failingSince: number | null = null;
  const timer = createTimer(() => void turn());
  let isTurning = false;
  /** Whether the next turn begins right after this one. */
  let isCalledAgain = false;
  let turnedAt = -Infinity;
  let isStopped = false;
  let isCutOff = false;
  const settling: (() => void)[] = [];

  function notify(): void {
    if (isStopped) return;
    isCalled = true;
    turnSoon();
  }

  /** Begins a turn soon, but not right after the last one. */
  function turnSoon(): void {
    timer.within(Math.max(turnMs, turnedAt + spacingMs - performance.now()));
  }

  /** One turn at a time: records results, leases webhooks, reads and sends due deliveries. */
  async function turn(): Promise<void> {
    isCalledAgain = isTurning;
    if (isTurning) return;
    isTurning = true;
    turnedAt = performance.now();
    try {
      await record();
      await lease();
      await read();
      failingSince = null;
    } catch (error) {
      failed(error);
    }
    isTurning = false;
    send();
    if (isCalledAgain) timer.within(0);
    const isSettled = held.size === 0 && inProgress === 0 && !timer.isSet;
    if (isSettled) for (const settle of settling.splice(0)) settle();
    else scheduleNext();
  }

  function failed(error: unknown): void {
    failingSince ??= performance.now();
    const isGivenUp = isCutOff || performance.now() - failingSince > keptMs;
    log.error(
      { err: error, attempts: ended.length },
      isGivenUp ? 'could not record attempts; the deliveries are attempted again' : 'could not deliver; retrying soon',
    );
    if (!isGivenUp) return;
    // Without these results, other workers wait until the leases end.
    ended = [];
    for (const [token, each] of held) if (each.inProgress === 0) held.delete(token);
  }

  function scheduleNext(): void {
    if (held.size === 0) return;
    if (failingSince !== null) return timer.within(retryMs);
    const now = performance.now();
    for (const each of held.values()) timer.within(Math.max(0, each.readAt + freshMs - now));
    for (const each of mayAttempt([...held.values()], inProgress)) {
      if (each.backlog.length > 0 && hasRoom(each)) timer.within(Math.max(0, each.backlogFrom - now));
    }
  }

  async function record(): Promise<void> {
    const results = [...ended];
    const over = [...held.values()].filter(isOver);
    if (results.length + over.length === 0) return;
    const leases = over.map(({ lease, isLeaving }) => ({ ...lease, isWanted: isLeaving }));
    const disabled = await recordAttempts(
      database,
      results.map(({ held: _, ...result }) => result),
      leases,
    );
    for (const webhook of disabled) log.warn(webhook, 'webhook disabled');
    for (const result of results) result.held.unrecorded.delete(result.id);
    ended = ended.slice(results.length);
    for (const { lease } of over) held.delete(lease.leaseToken);
  }

  /** A worker without a free attempt for an organization leases none of its webhooks, so that other workers do. */
  async function lease(): Promise<void> {
    const { most, crowded, full } = capacityOf([...held.values()], inProgress);
    if ([...skipped].some((organizationId) => !full.has(organizationId))) isCalled = true;
    if (!isCalled || isStopped) return;
    const now = performance.now();
    const isBalancing = now - balancedAt > freshMs;
    if (isBalancing) balancedAt = now;
    for (const each of held.values()) if (!each.isLeaving) each.hasMore = true;
    // Maps keep the order of insertion: the one that is held longest makes room for those that wait.
    const longest = [...held.values()].find((each) => crowded.has(each.lease.organizationId));
    if (longest && isBalancing) leave(longest);
    if (most <= 0) return;
    isCalled = false;
    skipped = full;
    const bounds = { most, after, held: held.size, leaseSeconds, skipped };
    const { leases, next } = await leaseWebhooks(database.em.fork(), firstDelay, bounds).catch((error: unknown) => {
      isCalled = true;
      throw error;
    });
    if (next !== null || after !== null) isCalled = true;
    after = next;
    for (const each of leases) held.set(each.leaseToken, newlyHeld(each, now));
    if (next === null && leases.length === 0 && isBalancing)
      await wantWebhook(database.em.fork(), firstDelay, held.size);
  }

  async function read(): Promise<void> {
    const now = performance.now();
    const due = [...held.values()].filter((each) => isDue(each, now));
    if (due.length === 0) return;
    const bounds = due.map((each) => {
      const most = isLow(each) ? batchSize : smallBatchSize;
      return { ...each.lease, most, unrecorded: [...each.unrecorded] };
    });
    const found = await readDeliveries(parts, { leaseSeconds, firstDelay }, bounds);
    const byToken = new Map(found.map((each) => [each.webhook.leaseToken, each]));
    for (const [index, { most }] of bounds.entries()) {
      const each = due[index];
      const read = each && byToken.get(each.lease.leaseToken);
      if (read) fill(each, read, { most, now });
      // Another worker has taken the webhook over.
      else if (each) held.delete(each.lease.leaseToken);
      if (read && (isStopped || (read.webhook.wanted !== null && held.size > read.webhook.wanted + 1))) leave(each);
    }
  }

  function send(): void {
    if (isStopped) return;
    for (;;) {
      const now = performance.now();
      const next = leastBusy(mayAttempt([...held.values()], inProgress), now);
      const delivery = next && take(next, now);
      if (!next?.webhook || !delivery) return;
      inProgress += 1;
      void attempt(next, next.webhook, delivery);
    }
  }

  async function attempt(each: HeldWebhook, webhook: LeasedWebhook, delivery: DueDelivery): Promise<void> {
    const { id, body } = delivery;
    const at = new Date();
    const headers = { 'content-type': 'application/json', ...signatureHeaders({ id, body }, webhook, at) };
    const outcome = await inAttemptSpan({ ...each.lease, url: webhook.url, deliveryId: id }, (trace) =>
      outbound.post(webhook.url, { ...headers, ...trace }, body),
    );
    inProgress -= 1;
    release(each, delivery);
    if (isPressing(each)) timer.within(0);
    else turnSoon();
    if (isCutOff && outcome.error !== null) return void each.unrecorded.delete(id);
    const result = resultOf({ ...each.lease, url: webhook.url }, delivery, at, outcome, retrySchedule);
    metrics.webhookAttempt(result.status === 'SUCCEEDED' ? 'succeeded' : 'failed', outcome.durationMs / 1000);
    ended.push({ ...result, held: each });
    send();
  }

  async function settle(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    settling.push(resolve);
    timer.within(0);
    return promise;
  }

  return {
    notify,
    tick: () => {
      notify();
      return settle();
    },
    stop: async () => {
      isStopped = true;
      for (const each of held.values()) leave(each);
      const settled = settle();
      await withDeadline(graceMs, settled);
      isCutOff = true;
      await outbound.close();
      await settled;
    },
  };
}
