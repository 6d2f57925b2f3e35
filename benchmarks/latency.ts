import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { contract, type DeliveryPayload } from '@runward/contract';
import { percentile } from './measured.ts';

/** How long something took in an idle service, in milliseconds. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly most: number;
}

/** From an event to its arrival at the receiver. */
export interface Latency {
  readonly events: number;
  /** From the moment the launch is sent. */
  readonly sinceRequest: Spread;
  /** From the time the event says it happened. */
  readonly sinceEvent: Spread;
}

/** A receiver on this machine that notes when the delivery of each run arrives. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly arrivals: ReadonlyMap<string, { readonly at: number; readonly timestamp: number }>;
}

/** The same clock for every time below. */
const clock = () => performance.timeOrigin + performance.now();
const everyMs = 100;
const patienceMs = 10_000;

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

/** Launches a run every 100 ms and tells how long each took to be heard of. */
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
    const answer = await fetch(url + contract.runs.launch.path, { method: 'POST', headers, body });
    const { id } = (await answer.json()) as { id: string };
    if (!answer.ok) throw new Error(`A launch answered ${answer.status}.`);
    if (count >= warmUp) sent.set(id, start);
    await pause(Math.max(0, start + everyMs - clock()));
  }
  const deadline = Date.now() + patienceMs;
  while (arrivals.size < warmUp + events && Date.now() < deadline) await pause(10);

  const heard = [...sent].flatMap(([id, start]) => {
    const arrival = arrivals.get(id);
    return arrival ? [{ sinceRequest: arrival.at - start, sinceEvent: arrival.at - arrival.timestamp }] : [];
  });
  if (heard.length < events) throw new Error(`Of ${events} events only ${heard.length} reached the receiver.`);
  return {
    events,
    sinceRequest: spread(heard.map(({ sinceRequest }) => sinceRequest)),
    sinceEvent: spread(heard.map(({ sinceEvent }) => sinceEvent)),
  };
}

function spread(values: readonly number[]): Spread {
  return { p50: percentile(values, 0.5), p95: percentile(values, 0.95), most: Math.max(...values) };
}
