import { setTimeout as pause } from 'node:timers/promises';
import pWaitFor from 'p-wait-for';

type Falsy = false | null | undefined | 0 | '';

/** The first pause between two calls in milliseconds, by how much each is longer than the one before, and the longest. */
const pauses = { first: 5, growth: 1.2, longest: 50 };

/**
 * Calls a function until it returns something truthy, and resolves with that, so that a test can assert it. Calls follow each other after
 * 5 ms at first and 50 ms later, because what is waited for needs the processor itself. `what` names it; after `seconds` the wait fails
 * with an error that says so.
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
