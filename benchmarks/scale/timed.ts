import { percentile } from '../measured.ts';

/** Writes a line of the report as soon as it is known. */
export type Log = (line: string) => void;

/** A request to measure; the index counts its repetitions. */
export type Request = (index: number) => Promise<unknown>;

const requests = 100;
const warmUp = 5;

/** Sends each request 100 times after 5 to warm up, one at a time, and writes the median and the 95th percentile. */
export async function timeRequests(named: Readonly<Record<string, Request>>, log: Log): Promise<void> {
  for (const [title, request] of Object.entries(named)) {
    const times: number[] = [];
    for (let index = 0; index < warmUp + requests; index += 1) {
      const { ms } = await timed(() => request(index));
      if (index >= warmUp) times.push(ms);
    }
    log(line(title, `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`));
  }
}

/** What some work returned, and how long it took. */
export async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const began = performance.now();
  const result = await work();
  return { result, ms: performance.now() - began };
}

/** Does some work and writes how many seconds it took. */
export async function timeOnce<Result>(title: string, log: Log, work: () => Promise<Result>): Promise<Result> {
  const { result, ms } = await timed(work);
  log(line(title, `${(ms / 1_000).toFixed(1)} s`));
  return result;
}

/** A line of the report. */
export function line(title: string, value: string): string {
  return `${title.padEnd(44)}${value}`;
}
