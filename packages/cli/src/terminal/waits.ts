import { isRateLimited, isTimeout } from '@runward/sdk';
import { messageOf } from '../errors.ts';

/** Says why a command has to wait for long. Concurrent requests wait for the same reason, so it is said only once. */
export function sayWaits(print: (line: string) => void): (error: unknown, delayMs: number) => void {
  let waitsUntil = 0;
  return (error, delayMs) => {
    const isLong = isRateLimited(error) || isTimeout(error) || delayMs >= 2_000;
    if (!isLong || Date.now() < waitsUntil) return;
    waitsUntil = Date.now() + Math.max(delayMs, 1_000);
    print(`${messageOf(error)} Trying again in ${Math.max(1, Math.round(delayMs / 1_000))} s; Ctrl-C stops.`);
  };
}
