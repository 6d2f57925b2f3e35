import { eventRetentionDays } from '@runward/contract';

const dayMs = 86_400_000;

/** How far back the feed starts for a reader without a cursor. */
export const feedMs = eventRetentionDays * dayMs;

/**
 * How long events and deliveries are kept. A day longer than the feed, so that a reader who starts with the oldest
 * event has a day to continue.
 */
export const retentionMs = feedMs + dayMs;
