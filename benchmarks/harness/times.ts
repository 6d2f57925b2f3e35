import { percentile } from '@runward/testing/measuring/percentile';

/** Times, in milliseconds. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** The spread of times. */
export function spread(times: readonly number[]): Spread {
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), max: Math.max(...times) };
}

/** What some work returned, and how many milliseconds it took. */
export async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const start = performance.now();
  const result = await work();
  return { result, ms: performance.now() - start };
}

/** Repeats some work and measures each time. The first five times, which compile code and fill caches, do not count. */
export async function timeEach(count: number, work: (index: number) => Promise<unknown>): Promise<Spread> {
  const warmUp = 5;
  const times: number[] = [];
  for (let index = 0; index < warmUp + count; index += 1) times.push((await timed(() => work(index))).ms);
  return spread(times.slice(warmUp));
}

/** Reads a response to the end and returns its size in bytes. Throws on an error response. */
export async function download(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const response = await fetch(url, { headers });
  const { byteLength } = await response.arrayBuffer();
  if (!response.ok) throw new Error(`GET ${url} returned ${response.status}.`);
  return byteLength;
}
