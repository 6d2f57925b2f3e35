import type { Logger } from 'pino';
import type { OutboundHttp } from '../../adapters/outbound-http.ts';
import type { Database } from '../../database/database.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** The parts and settings of a dispatcher; times in seconds. */
export interface DispatcherParts {
  readonly database: Database;
  /** Closed when the dispatcher is stopped. */
  readonly outbound: OutboundHttp;
  /** The delay before each attempt, including the first. */
  readonly retrySchedule: readonly number[];
  readonly log: Logger;
  readonly metrics?: Metrics;
  /**
   * Other workers may take over the webhooks of a worker that was killed after this time. An attempt begins at most
   * three seconds after its lease was read, so the lease must be five seconds longer than the longest attempt.
   */
  readonly leaseSeconds?: number;
}
