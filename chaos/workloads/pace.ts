import { setTimeout as pause } from 'node:timers/promises';

/** Resolves when the next request may be sent. */
export type Pace = () => Promise<void>;

/** Lets requests begin at once. */
export const unlimited: Pace = async () => {};

/** Lets that many requests begin each second, at equal distances, in the order in which they ask. */
export function steady(perSecond: number): Pace {
  const distanceMs = 1_000 / perSecond;
  let next = 0;
  return async () => {
    const now = performance.now();
    // What was not used is lost, so that a slow response is not followed by a burst.
    const turn = Math.max(now, next);
    next = turn + distanceMs;
    await pause(turn - now);
  };
}
