/** The outcome of a job or an attempt. */
export type Outcome = 'succeeded' | 'failed';

/** A completed HTTP request. */
export interface CompletedRequest {
  /** The name in the contract, like `runs.list`, or `unknown` if no endpoint has the path. */
  readonly operation: string;
  readonly method: string;
  /** Null if the client disconnected before the response. */
  readonly status: number | null;
  readonly seconds: number;
  /** The code of the 429, if it is one. */
  readonly limit?: string | undefined;
}

/** Counts the work of the service, independently of how metrics are exported. */
export interface Metrics {
  request(request: CompletedRequest): void;
  /** One run of a scheduled job. */
  job(name: string, outcome: Outcome, seconds: number): void;
  webhookAttempt(outcome: Outcome, seconds: number): void;
}

/** Counts nothing. */
export const noMetrics: Metrics = { request: () => {}, job: () => {}, webhookAttempt: () => {} };
