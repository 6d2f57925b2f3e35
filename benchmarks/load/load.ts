/**
 * Generates load on a server from a separate process. Takes one job at a time by message, and sends the measurements
 * back.
 */
import autocannon from 'autocannon';
import { connections as usualConnections, type Measured } from '../harness/measured.ts';
import { startUploads, transfer, type TransferJob, type Uploads } from './file-jobs.ts';
import { fillForms, type FormJob } from './form-flow.ts';
import { carryOutSteps, type MixedJob } from './mixed-work.ts';
import { carryOutRuns, type RunsJob } from './run-flow.ts';

/** Requests to send over and over for a time. */
export interface RequestJob {
  readonly kind: 'requests';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: readonly { readonly method: string; readonly path: string; readonly body?: string }[];
  readonly seconds: number;
  /** Default: 10. */
  readonly connections?: number;
  /** What is uploaded meanwhile. */
  readonly uploads?: Uploads;
}

/** What the parent process can request. */
export type Job = RequestJob | FormJob | RunsJob | TransferJob | MixedJob;

/** What is sent back. */
export type JobResult = { readonly measured: Measured } | { readonly problem: string };

process.on('message', (job: Job) => void run(job));
process.on('disconnect', () => process.exit(0));
// The parent process waits for this.
process.send?.('ready');

async function run(job: Job): Promise<void> {
  let result: JobResult;
  try {
    result = { measured: await measure(job) };
  } catch (error) {
    result = { problem: error instanceof Error ? error.message : String(error) };
  }
  process.send?.(result);
}

function measure(job: Job): Promise<Measured> {
  switch (job.kind) {
    case 'requests':
      return sendRequests(job);
    case 'forms':
      return fillForms(job);
    case 'runs':
      return carryOutRuns(job);
    case 'mixed':
      return carryOutSteps(job);
    case 'transfers':
      return transfer(job);
  }
}

async function sendRequests({
  url,
  headers,
  requests,
  seconds,
  connections = usualConnections,
  uploads,
}: RequestJob): Promise<Measured> {
  const endUploads = uploads && (await startUploads(uploads));
  const milliseconds: number[] = [];
  const load = autocannon({ url, headers, requests, connections, duration: seconds });
  load.on('response', (_client, _status, _bytes, took: number) => milliseconds.push(took));
  const result = await load;
  await endUploads?.();
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} of ${result['2xx'] + failed} requests to ${url} failed.`);
  return { seconds: result.duration, milliseconds };
}
