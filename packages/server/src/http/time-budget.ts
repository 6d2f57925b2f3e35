import { isMultipart, type Endpoint } from '@runward/contract';
import { unavailable } from '../api-error.ts';
import { isUnavailable } from '../database/errors.ts';
import { withDeadline } from '../deadline.ts';

/**
 * Waits for work of the database. If the database is not available or the time budget of the request is spent, throws a
 * 503 that says what to do; the work continues.
 */
export type TimeBudget = <Result>(work: Promise<Result>, remedy?: string) => Promise<Result>;

/** The properties of an endpoint that determine its time budget. */
type Kind = Pick<Endpoint, 'body' | 'timeBudgetMs'>;

/** Added for requests with files: processing them, such as encoding an image, may take longer than any query. */
const fileProcessingMs = 30_000;

/** The time budget of one request, in milliseconds, shared by all awaited work. */
export function createTimeBudget(ms: number, endpoint: Kind = {}): TimeBudget {
  let left = ms + (endpoint.timeBudgetMs ?? 0) + (isMultipart(endpoint.body) ? fileProcessingMs : 0);
  return async (work, remedy = 'retry in a moment') => {
    const began = performance.now();
    try {
      return await withDeadline(left, work, () => {
        throw unavailable(`The database did not respond in time; ${remedy}.`, { code: 'timed_out' });
      });
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      throw unavailable(`The database is not available; ${remedy}.`, { cause: error });
    } finally {
      left = Math.max(0, left - (performance.now() - began));
    }
  };
}
