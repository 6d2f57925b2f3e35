import { Client } from 'pg';
import { type Child, nextMessage, startChild } from './child.ts';
import { type Comparison, type Round, summarize } from './compare.ts';
import type { PostJob } from './bare-sender.ts';
import { drain } from './drain.ts';
import { addWebhooks, enable, queueEvents } from './outbox.ts';
import { type ReceiverProcess, startReceiverProcess } from './receiver-process.ts';
import type { Seed } from './seed.ts';
import { startRunward } from './service.ts';
import { cpuSeconds } from './usage.ts';

/** What measuring deliveries needs. */
export interface DeliveryBench {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly seeded: Seed;
  readonly postgresPid: number;
  readonly rounds: number;
  /** Deliveries of a round over ten webhooks; one webhook alone gets a quarter of them. */
  readonly count: number;
  say(line: string): void;
}

interface Subject {
  readonly name: string;
  readonly unit: 'deliveries/s';
  readonly aim: number;
  readonly webhooks: number;
  readonly count: number;
  /** Requests the floor has under way: as many as the service may have. */
  readonly concurrency: number;
}

/** What a round works with. */
interface Sides extends DeliveryBench {
  readonly client: Client;
  readonly receiver: ReceiverProcess;
  readonly worker: Child;
  readonly floor: Child;
}

const unit = 'deliveries/s';
const aim = 0.5;

/** Measures how fast a worker brings what waits to a receiver, beside undici alone. What it starts is stopped with the stack. */
export async function measureDeliveries(bench: DeliveryBench, stack: AsyncDisposableStack): Promise<Comparison[]> {
  const { databaseUrl, folder, count } = bench;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  stack.defer(() => client.end());
  const receiver = await startReceiverProcess(folder);
  stack.defer(() => receiver.stop());
  const floor = startChild({ program: 'benchmarks/bare-sender.ts', folder });
  stack.defer(() => floor.stop());
  await nextMessage(floor);
  const worker = await startRunward({ databaseUrl, folder, mode: 'local', role: 'worker' });
  stack.defer(() => worker.stop());

  // What was measured before left much to clean up, which must not be paid for now.
  await client.query('vacuum (analyze)');
  const sides = { ...bench, client, receiver, worker, floor };
  const ten = { name: 'deliveries, 10 webhooks', unit, aim, webhooks: 10, count, concurrency: 50 } as const;
  const one = { name: 'deliveries, 1 webhook', unit, aim, webhooks: 1, count: count / 4, concurrency: 5 } as const;
  return [await compareDeliveries(sides, ten), await compareDeliveries(sides, one)];
}

async function compareDeliveries(sides: Sides, subject: Subject): Promise<Comparison> {
  const { client, seeded, receiver, rounds, say } = sides;
  const webhooks = await addWebhooks(client, seeded, {
    count: subject.webhooks,
    url: receiver.url,
    events: ['task.completed'],
  });
  const warmUp = { ...subject, count: Math.ceil(subject.count / 5) };
  const measured: { service: Round; floor: Round }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round === 0) await runRound(sides, warmUp, webhooks);
    const { service, floor } = await runRound(sides, subject, webhooks);
    const [one, other] = [service, floor].map(({ perSecond }) => perSecond.toFixed(0));
    say(`${subject.name}, round ${round + 1}: service ${one} ${unit}, floor ${other} ${unit}`);
    measured.push({ service, floor });
  }
  return summarize(subject, measured);
}

/** The service first; then the floor posts the very same bodies to the same places. */
async function runRound(sides: Sides, subject: Subject, webhooks: { ids: string[]; urls: string[] }) {
  const { client, databaseUrl, seeded, worker, floor } = sides;
  // Disabled webhooks hold everything back until all of it is there.
  const bodies = await queueEvents(client, seeded, webhooks.ids, subject.count);
  const service = await timeReceipts(sides, subject, worker, true, () => enable(client, webhooks.ids, true));
  await drain(databaseUrl);
  await enable(client, webhooks.ids, false);

  const job: PostJob = { urls: webhooks.urls, bodies, concurrency: subject.concurrency };
  const bare = await timeReceipts(sides, subject, floor, false, async () => {
    floor.process.send(job);
    await nextMessage(floor);
  });
  return { service, floor: bare };
}

/** The rate between the first and the last tenth of the receipts, so that neither start nor end counts; CPU time is that of all. */
async function timeReceipts(
  { receiver, postgresPid }: Sides,
  { count }: Subject,
  sender: Child,
  usesPostgres: boolean,
  start: () => Promise<void>,
): Promise<Round> {
  const cpu = async () => [await cpuSeconds(sender.pid), usesPostgres ? await cpuSeconds(postgresPid) : null];
  const before = await cpu();
  const [times] = await Promise.race([Promise.all([receiver.receive(count), start()]), sender.lost]);
  const after = await cpu();
  const [serverCpu = null, postgresCpu = null] = after.map((seconds, index) => {
    const secondsBefore = before[index] ?? null;
    return seconds === null || secondsBefore === null ? null : ((seconds - secondsBefore) * 1000) / count;
  });
  const [from, to] = [Math.floor(count * 0.1), Math.floor(count * 0.9)];
  const milliseconds = (times[to] ?? NaN) - (times[from] ?? NaN);
  return { perSecond: ((to - from) * 1000) / milliseconds, p50: null, p99: null, serverCpu, postgresCpu, waiting: 0 };
}
