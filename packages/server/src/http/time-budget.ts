import { effectOf, isMultipart, type Endpoint } from '@runward/contract';
import { ApiError } from '../api-error.ts';
import { withDeadline } from '../deadline.ts';

/** Waits for work, or throws a 500 when the time budget of the request is spent. The work itself continues. */
export type TimeBudget = <Result>(work: Promise<Result>) => Promise<Result>;

/** What of an endpoint determines its time budget. */
type Kind = Pick<Endpoint, 'method' | 'effect' | 'body' | 'timeBudgetMs'>;

/** Processing the files of a request, such as encoding an image, may take longer than any query. */
const fileProcessingMs = 30_000;

/** The time budget of one request, in milliseconds, shared by all awaited work. */
export function createTimeBudget(ms: number, endpoint: Kind): TimeBudget {
  let left = ms + (endpoint.timeBudgetMs ?? 0) + (isMultipart(endpoint.body) ? fileProcessingMs : 0);
  return async (work) => {
    const began = performance.now();
    try {
      return await withDeadline(left, work, () => {
        throw tooSlow(endpoint);
      });
    } finally {
      left = Math.max(0, left - (performance.now() - began));
    }
  };
}

function tooSlow(endpoint: Kind): ApiError {
  const remedy =
    effectOf(endpoint) === 'read'
      ? 'retry in a moment'
      : 'the request may or may not have taken effect: repeat it with the same Idempotency-Key, or check first';
  return new ApiError(500, `The database did not respond in time; ${remedy}.`);
}
