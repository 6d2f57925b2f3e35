import type { Logger } from 'pino';
import type { OutboundHttp } from '../../adapters/outbound-http.ts';
import type { Database } from '../../database/database.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** The parts and settings of a dispatcher; times in seconds. */
export interface DispatcherParts {
  readonly database: Database;
  readonly outbound: OutboundHttp;
  /** The delay before each attempt, including the first. */
  readonly retrySchedule: readonly number[];
  readonly log: Logger;
  readonly metrics?: Metrics;
  /**
   * Other workers may take over the webhooks of a worker that was killed after this time. An attempt begins at most a
   * second after its lease was extended, so the lease must be longer than the longest attempt and three seconds.
   */
  readonly leaseSeconds?: number;
}
