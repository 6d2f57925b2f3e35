import { setTimeout as pause } from 'node:timers/promises';
import { Counter, Gauge, Histogram, type PrometheusContentType, type Registry } from '@prometheus-io/client';
import type { Metrics } from './metrics.ts';

/** Where figures are kept for Prometheus. */
export type MetricsRegistry = Registry<PrometheusContentType>;

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const jobBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];
const timeBudgetMs = 1_000;

/**
 * Counts in a registry. `countPending` tells how many deliveries wait; it is asked when the figures are read, and its figure is left
 * out where it fails or takes longer than a second.
 */
export function prometheusMetrics(registry: MetricsRegistry, countPending: () => Promise<number>): Metrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by operation, method and status; the status is "aborted" where the caller went away first.',
    labelNames: ['operation', 'method', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['operation'],
    buckets: requestBuckets,
    registers,
  });
  const jobs = new Counter({
    name: 'job_runs_total',
    help: 'Runs of jobs by outcome.',
    labelNames: ['job', 'outcome'],
    registers,
  });
  const jobSeconds = new Histogram({
    name: 'job_duration_seconds',
    help: 'Time a run of a job took.',
    labelNames: ['job'],
    buckets: jobBuckets,
    registers,
  });
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to bring an event to a webhook, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const attemptSeconds = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time an attempt took, until the answer was read or given up.',
    buckets: requestBuckets,
    registers,
  });
  // There from the beginning, so that the first failure is an increase.
  for (const outcome of ['succeeded', 'failed']) attempts.inc({ outcome }, 0);
  offerPending(registers, countPending);

  return {
    request: ({ operation, method, status, seconds }) => {
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

function offerPending(registers: MetricsRegistry[], countPending: () => Promise<number>): void {
  let asking: Promise<number | null> | null = null;
  const ask = () =>
    (asking ??= countPending()
      .catch(() => null)
      .finally(() => (asking = null)));
  const gauge = new Gauge({
    name: 'webhook_deliveries_pending',
    help: 'Deliveries that wait for an attempt, over all processes; missing while the database cannot tell.',
    registers,
    collect: async () => {
      const count = await Promise.race([ask(), pause(timeBudgetMs, null, { ref: false })]);
      if (count === null) gauge.remove();
      else gauge.set(count);
    },
  });
}
