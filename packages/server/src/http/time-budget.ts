import { effectOf, type Endpoint } from '@runward/contract';
import { ApiError } from '../api-error.ts';

/** Waits for work as long as the time budget of one request lasts, then throws a 500. The work itself continues. */
export type TimeBudget = <Result>(work: Promise<Result>) => Promise<Result>;

/** The time budget of one request, in milliseconds, shared by all awaited work. */
export function createTimeBudget(ms: number, endpoint: Endpoint): TimeBudget {
  let left = ms;
  return async (work) => {
    const began = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooSlow(endpoint)), left);
    });
    try {
      return await Promise.race([work, over]);
    } finally {
      clearTimeout(timer);
      left = Math.max(0, left - (performance.now() - began));
    }
  };
}

function tooSlow(endpoint: Endpoint): ApiError {
  const remedy =
    effectOf(endpoint) === 'read'
      ? 'retry in a moment'
      : 'the request may or may not have taken effect: repeat it with the same Idempotency-Key, or check first';
  return new ApiError(500, `The database did not respond in time; ${remedy}.`);
}
