import { setTimeout as pause } from 'node:timers/promises';
import { contract, type DeliveryPayload } from '@runward/contract';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import { startReceiver, type TestReceiver } from '@runward/testing/receiver';
import type { Part, SeededBench } from '../harness/part.ts';
import { headersOf } from '../harness/profile.ts';
import { type Role, startRunward } from '../harness/service.ts';
import { spread, type Spread } from '../harness/times.ts';

const intervalMs = 100;
const warmUp = 10;

/**
 * The time from an event until it arrives at the receiver, in an idle service. Measured with one process, and with a
 * separate worker, which polls.
 */
export const latency: Part = {
  name: 'latency',
  needs: 'seed',
  measure: async (bench) => {
    const one = await measureIdle(bench, ['all']);
    const two = await measureIdle(bench, ['api', 'worker']);
    return {
      figures: [
        { name: 'event to receiver, ms', ...one.sinceEvent, aim: 'p50 < 50' },
        { name: 'request to receiver, ms', ...one.sinceRequest, aim: 'p50 < 50' },
        { name: 'event to receiver, separate worker, ms', ...two.sinceEvent, aim: 'p50 < 1200' },
      ],
    };
  },
};

/** Measures with one service process per role. The first one serves the API. */
async function measureIdle(bench: SeededBench, roles: readonly Role[]) {
  const { databaseUrl, seeded } = bench;
  await using stack = bench.stack.use(new AsyncDisposableStack());
  const receiver = stack.use(await startReceiver(() => 204));
  await withClient(databaseUrl, (client) =>
    client.query('update webhooks set url = $2, failing_since = null where id = $1', [seeded.webhookId, receiver.url]),
  );
  const urls: string[] = [];
  for (const role of roles) {
    urls.push(stack.use(await startRunward({ ...bench, mode: 'local', role })).url);
  }
  return await measureLaunches(bench, urls[0] ?? '', receiver);
}

/**
 * Launches a run every 100 ms. Returns how long the events took to arrive, counted from the request and from the
 * recording.
 */
async function measureLaunches(
  { seeded, profile }: SeededBench,
  url: string,
  receiver: TestReceiver,
): Promise<{ sinceRequest: Spread; sinceEvent: Spread }> {
  const body = JSON.stringify({ templateId: seeded.templateId });
  const count = warmUp + (profile.isQuick ? 20 : 50);
  const sent = new Map<string, number>();
  for (let index = 0; index < count; index += 1) {
    const start = Date.now();
    const response = await fetch(url + contract.runs.launch.path, { method: 'POST', headers: headersOf(seeded), body });
    const { id } = (await response.json()) as { id: string };
    if (!response.ok) throw new Error(`A launch returned ${response.status}.`);
    if (index >= warmUp) sent.set(id, start);
    await pause(Math.max(0, start + intervalMs - Date.now()));
  }
  const sinceRequest: number[] = [];
  const sinceEvent: number[] = [];
  for (const { at, body: text } of await receiver.wait(count)) {
    const { timestamp, data } = JSON.parse(text) as DeliveryPayload;
    const start = sent.get((data as { runId: string }).runId);
    if (start === undefined) continue;
    sinceRequest.push(at - start);
    sinceEvent.push(at - Date.parse(timestamp));
  }
  return { sinceRequest: spread(sinceRequest), sinceEvent: spread(sinceEvent) };
}
