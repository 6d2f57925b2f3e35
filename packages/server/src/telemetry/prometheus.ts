import { Counter, Histogram, type PrometheusContentType, type Registry } from '@prometheus-io/client';
import { errorCodes } from '@runward/contract';
import type { Metrics } from './metrics.ts';

/** The registry of Prometheus metrics. */
export type MetricsRegistry = Registry<PrometheusContentType>;

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const jobBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];
const limitCodes = Object.entries(errorCodes).flatMap(([code, { status }]) => (status === 429 ? [code] : []));

/** Counts in a registry. */
export function prometheusMetrics(registry: MetricsRegistry): Metrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'HTTP requests, by operation, method and status; "aborted" if the client disconnected first.',
    labelNames: ['operation', 'method', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'HTTP request duration, from the request headers to the end of the response.',
    labelNames: ['operation'],
    buckets: requestBuckets,
    registers,
  });
  const rejections = new Counter({
    name: 'rate_limit_rejections_total',
    help: 'Requests that were rejected with 429, by the code of the error.',
    labelNames: ['code'],
    registers,
  });
  const jobs = new Counter({
    name: 'job_runs_total',
    help: 'Job runs, by outcome.',
    labelNames: ['job', 'outcome'],
    registers,
  });
  const jobSeconds = new Histogram({
    name: 'job_duration_seconds',
    help: 'Job run duration.',
    labelNames: ['job'],
    buckets: jobBuckets,
    registers,
  });
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Webhook delivery attempts, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const attemptSeconds = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Webhook delivery attempt duration, until the response was read or the attempt was abandoned.',
    buckets: requestBuckets,
    registers,
  });
  // Counters start at 0, so that the first failure is an increase.
  for (const code of limitCodes) rejections.inc({ code }, 0);
  for (const outcome of ['succeeded', 'failed']) attempts.inc({ outcome }, 0);

  return {
    request: ({ operation, method, status, seconds, limit }) => {
      if (limit !== undefined) rejections.inc({ code: limit });
      requests.inc({ operation, method, status: status ?? 'aborted' });
      requestSeconds.observe({ operation }, seconds);
    },
    job: (job, outcome, seconds) => {
      jobs.inc({ job, outcome });
      jobSeconds.observe({ job }, seconds);
    },
    webhookAttempt: (outcome, seconds) => {
      attempts.inc({ outcome });
      attemptSeconds.observe(seconds);
    },
  };
}
