import { setTimeout as pause } from 'node:timers/promises';
import pWaitFor from 'p-wait-for';

type Falsy = false | null | undefined | 0 | '';

/** Pauses between calls in milliseconds: the first, the growth factor, and the longest. */
const pauses = { first: 5, growth: 1.2, longest: 50 };

/**
 * Calls a function until it returns a truthy value, and resolves with that value, so that a test can assert it. The
 * pause grows from 5 ms to 50 ms, because the awaited work needs the processor, too. `what` names the awaited event;
 * after `seconds` the wait fails with an error that says so.
 */
export function until<Value>(
  probe: () => Value | Promise<Value>,
  what: string,
  seconds = 60,
): Promise<Exclude<Value, Falsy>> {
  const message = `Waited ${seconds} s for ${what}.`;
  let ms = pauses.first;
  return pWaitFor(
    async () => {
      const seen = await probe();
      if (seen) return pWaitFor.resolveWith(seen as Exclude<Value, Falsy>);
      await pause(ms);
      ms = Math.min(ms * pauses.growth, pauses.longest);
      return false;
    },
    { interval: 0, timeout: { milliseconds: seconds * 1_000, message } },
  );
}
