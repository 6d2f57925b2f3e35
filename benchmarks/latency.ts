import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { contract, type DeliveryPayload } from '@runward/contract';
import { percentile } from './measured.ts';

/** Times in an idle service, in milliseconds. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** Times from an event to its arrival at the receiver. */
export interface Latency {
  readonly events: number;
  /** Since the launch was sent. */
  readonly sinceRequest: Spread;
  /** Since the timestamp of the event. */
  readonly sinceEvent: Spread;
}

/** A receiver on this machine that records when the delivery of each run arrives. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly arrivals: ReadonlyMap<string, { readonly at: number; readonly timestamp: number }>;
}

/** The clock of every time below, in epoch milliseconds. */
const clock = () => performance.timeOrigin + performance.now();
const intervalMs = 100;
const maxWaitMs = 10_000;

/** Starts the receiver on a free port. */
export async function startReceiver(): Promise<Receiver> {
  const arrivals = new Map<string, { at: number; timestamp: number }>();
  const server = createServer((request, response) => {
    const at = clock();
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { timestamp, data } = JSON.parse(text) as DeliveryPayload;
      arrivals.set((data as { runId: string }).runId, { at, timestamp: Date.parse(timestamp) });
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivals,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Launches a run every 100 ms and returns how long the event of each took to arrive. */
export async function measureLatency(
  { arrivals }: Receiver,
  launch: { url: string; headers: Readonly<Record<string, string>>; body: string },
  events: number,
): Promise<Latency> {
  const { url, headers, body } = launch;
  const sent = new Map<string, number>();
  const warmUp = 10;
  for (let count = 0; count < warmUp + events; count += 1) {
    const start = clock();
    const response = await fetch(url + contract.runs.launch.path, { method: 'POST', headers, body });
    const { id } = (await response.json()) as { id: string };
    if (!response.ok) throw new Error(`A launch returned ${response.status}.`);
    if (count >= warmUp) sent.set(id, start);
    await pause(Math.max(0, start + intervalMs - clock()));
  }
  const deadline = Date.now() + maxWaitMs;
  while (arrivals.size < warmUp + events && Date.now() < deadline) await pause(10);

  const arrived = [...sent].flatMap(([id, start]) => {
    const arrival = arrivals.get(id);
    return arrival ? [{ sinceRequest: arrival.at - start, sinceEvent: arrival.at - arrival.timestamp }] : [];
  });
  if (arrived.length < events) throw new Error(`Only ${arrived.length} of ${events} events reached the receiver.`);
  return {
    events,
    sinceRequest: spread(arrived.map(({ sinceRequest }) => sinceRequest)),
    sinceEvent: spread(arrived.map(({ sinceEvent }) => sinceEvent)),
  };
}

function spread(values: readonly number[]): Spread {
  return { p50: percentile(values, 0.5), p95: percentile(values, 0.95), max: Math.max(...values) };
}
