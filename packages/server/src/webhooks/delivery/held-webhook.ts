import { queues } from '../entities/webhook-delivery.ts';
import type { Lease } from '../queries/lease-webhooks.ts';
import type { DueDelivery, LeasedWebhook, ReadWebhook } from '../queries/read-due.ts';

/** A webhook that this worker has leased. Times are those of `performance.now`. */
export interface HeldWebhook {
  readonly lease: Lease;
  /** Null until it is read. */
  webhook: LeasedWebhook | null;
  /** When its deliveries were last read. */
  readAt: number;
  /** Whether more deliveries may be due than were read. */
  hasMore: boolean;
  /** Whether another worker, or another webhook of this worker, gets its turn when the attempts in progress end. */
  isLeaving: boolean;
  /** Due deliveries that were read and not sent yet, without the backlog. */
  next: DueDelivery[];
  backlog: DueDelivery[];
  /** From when the next delivery of the backlog may be sent. */
  backlogFrom: number;
  /** Deliveries whose attempt is in progress, or not recorded yet. */
  readonly unrecorded: Set<string>;
  /** Attempts in progress, and those of the backlog among them. */
  inProgress: number;
  backlogInProgress: number;
}

/** What was read is sent for so long, then it is read again. Changes of a webhook therefore take effect within it. */
export const freshMs = 1_000;

/**
 * How long after the beginning of a read attempts may begin, also if the read itself takes long. At least 13 s of a
 * lease are left when it is read, and an attempt takes 10 s at most.
 */
const sendableMs = 3_000;

/** Attempts of a webhook that may be in progress. */
const maximumInProgress = 5;

/** Attempts in progress that are reserved for the backlog of a webhook. The others go to new events first. */
const backlogShare = 2;

/** Attempts of a webhook that a killed worker may have made without recording them. */
const maximumUnrecorded = 25;

/** The next deliveries are read when fewer are left. Sending that many takes about as long as a read. */
const lowAt = 10;

/** The time between two attempts of a webhook's backlog: slightly fewer than 20 per second, as timers are not exact. */
const backlogSpacingMs = 55;

/** A webhook that was leased now. Its last worker may have sent a delivery of the backlog just before. */
export function newlyHeld(lease: Lease, now: number): HeldWebhook {
  return {
    lease,
    webhook: null,
    readAt: -Infinity,
    hasMore: true,
    isLeaving: false,
    next: [],
    backlog: [],
    backlogFrom: now + backlogSpacingMs,
    unrecorded: new Set(),
    inProgress: 0,
    backlogInProgress: 0,
  };
}

/** Whether it has a free attempt. An ordered webhook has one until the result of the last one is recorded. */
export function hasRoom({ webhook, inProgress, unrecorded }: HeldWebhook): boolean {
  if (webhook?.ordered) return unrecorded.size === 0;
  return inProgress < maximumInProgress && unrecorded.size < maximumUnrecorded;
}

/** Whether a delivery may be sent now. */
function canSend(held: HeldWebhook, now: number): boolean {
  const isLeased = now - held.readAt < sendableMs;
  return isLeased && hasRoom(held) && (held.next.length > 0 || (held.backlog.length > 0 && held.backlogFrom <= now));
}

/** Takes the delivery that is sent now, and counts its attempt. */
export function take(held: HeldWebhook, now: number): DueDelivery | undefined {
  const isBacklogsTurn = held.backlogInProgress < backlogShare || held.next.length === 0;
  const takesBacklog = isBacklogsTurn && held.backlog.length > 0 && held.backlogFrom <= now;
  const delivery = takesBacklog ? held.backlog.shift() : held.next.shift();
  if (!delivery) return undefined;
  if (takesBacklog) held.backlogFrom = now + backlogSpacingMs;
  held.inProgress += 1;
  held.backlogInProgress += delivery.queue === queues.backlog ? 1 : 0;
  held.unrecorded.add(delivery.id);
  return delivery;
}

/** Ends an attempt, which is recorded later. */
export function release(held: HeldWebhook, { queue }: DueDelivery): void {
  held.inProgress -= 1;
  held.backlogInProgress -= queue === queues.backlog ? 1 : 0;
}

/** Whether its deliveries are read now: again, or because few are left. */
export function isDue(held: HeldWebhook, now: number): boolean {
  return now - held.readAt >= freshMs || (held.hasMore && isLow(held) && hasRoom(held));
}

/** Takes over what was read at a time, `most` deliveries of each queue at most. The oldest event comes first. */
export function fill(
  held: HeldWebhook,
  { webhook, deliveries }: ReadWebhook,
  { most, now }: { readonly most: number; readonly now: number },
): void {
  const sorted = deliveries.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const next = sorted.filter(({ queue }) => queue !== queues.backlog);
  const backlog = sorted.filter(({ queue }) => queue === queues.backlog);
  // What was sent during the read is due until its result is recorded.
  const isUnsent = ({ id }: DueDelivery) => !held.unrecorded.has(id);
  held.webhook = webhook;
  held.readAt = now;
  held.next = next.filter(isUnsent);
  held.backlog = backlog.filter(isUnsent);
  held.hasMore = webhook.ordered
    ? deliveries.length + held.unrecorded.size > 0
    : Math.max(next.length, backlog.length) >= most;
}

/** Gives the webhook back as soon as its attempts in progress have ended. Another worker sends what was read. */
export function leave(held: HeldWebhook): void {
  held.next = [];
  held.backlog = [];
  held.hasMore = false;
  held.isLeaving = true;
}

/** Whether its next attempts wait for results to be recorded, or for the next read, or soon will. */
export function isPressing(held: HeldWebhook): boolean {
  const waiting = held.unrecorded.size - held.inProgress;
  return waiting >= maximumUnrecorded / 2 || !hasRoom(held) || (held.hasMore && isLow(held));
}

/** Whether nothing is left to do with it. */
export function isOver(held: HeldWebhook): boolean {
  return held.inProgress === 0 && !held.hasMore && isEmpty(held);
}

/** Whether so little is left of what was read that the next is read. An ordered webhook reads one at a time. */
export function isLow({ webhook, next, backlog }: HeldWebhook): boolean {
  return next.length + backlog.length < (webhook?.ordered ? 1 : lowAt);
}

/** Whether everything that was read is sent. */
function isEmpty({ next, backlog }: HeldWebhook): boolean {
  return next.length + backlog.length === 0;
}

/** The webhook that may send now and has the fewest attempts in progress. */
export function leastBusy(held: Iterable<HeldWebhook>, now: number): HeldWebhook | undefined {
  let least: HeldWebhook | undefined;
  for (const each of held) {
    if ((!least || each.inProgress < least.inProgress) && canSend(each, now)) least = each;
  }
  return least;
}
