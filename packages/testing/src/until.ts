import pWaitFor from 'p-wait-for';

type Falsy = false | null | undefined | 0 | '';

/**
 * Calls a function every 5 ms until it returns something truthy, and resolves with that, so that a test can assert it. `what`
 * names what is waited for; after `seconds` the wait fails with an error that says so.
 */
export function until<Value>(
  probe: () => Value | Promise<Value>,
  what: string,
  seconds = 60,
): Promise<Exclude<Value, Falsy>> {
  const message = `Waited ${seconds} s for ${what}.`;
  return pWaitFor(
    async () => {
      const seen = await probe();
      return seen ? pWaitFor.resolveWith(seen as Exclude<Value, Falsy>) : false;
    },
    { interval: 5, timeout: { milliseconds: seconds * 1_000, message } },
  );
}
