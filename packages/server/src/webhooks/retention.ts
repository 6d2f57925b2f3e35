import { eventRetentionDays } from '@runward/contract';

const dayMs = 86_400_000;

/** How far back the feed begins for a reader without a place in it. */
export const shownMs = eventRetentionDays * dayMs;

/** How long events and records of deliveries are kept: a day longer, so that who has just begun with the oldest has that day to go on. */
export const keptMs = shownMs + dayMs;
