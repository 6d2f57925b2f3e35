import { startChild, type Child } from '@runward/testing/child';
import { Client } from 'pg';
import type { PostJob } from '../baseline/sender.ts';
import { perRequest, roundLine, summarize, type Comparison, type Round } from '../harness/compare.ts';
import { drain } from '../harness/drain.ts';
import type { Part, SeededBench } from '../harness/part.ts';
import { startRunward } from '../harness/service.ts';
import { cpuSeconds } from '../harness/usage.ts';
import { type ReceiverProcess, startReceiverProcess } from '../load/receiver-process.ts';
import { addWebhooks, enable, queueEvents } from '../seed/outbox.ts';

interface DeliveryScenario {
  readonly name: string;
  readonly unit: 'deliveries/s';
  readonly aim: number;
  readonly webhooks: number;
  readonly count: number;
}

/** What a round works with. */
interface Setup extends SeededBench {
  readonly client: Client;
  readonly receiver: ReceiverProcess;
  readonly worker: Child;
  readonly baseline: Child;
}

const unit = 'deliveries/s';

/** How fast a worker delivers a backlog, compared with undici alone. */
export const deliveries: Part = {
  name: 'deliveries',
  needs: 'seed',
  measure: async (bench) => {
    const { databaseUrl, folder, stack, profile } = bench;
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    stack.defer(() => client.end());
    const receiver = stack.use(await startReceiverProcess(folder));
    const baseline = stack.use(startChild('benchmarks/baseline/sender.ts', { cwd: folder }));
    await baseline.message();
    const worker = stack.use(await startRunward({ ...bench, mode: 'local', role: 'worker' }));

    // Earlier measurements left many dead rows. Their removal must not be measured.
    await client.query('vacuum (analyze)');
    const setup = { ...bench, client, receiver, worker, baseline };
    const count = profile.isQuick ? 3_000 : 20_000;
    const ten = { name: 'deliveries, 10 webhooks', unit, aim: 0.4, webhooks: 10, count } as const;
    const one = { name: 'deliveries, 1 webhook', unit, aim: 0.1, webhooks: 1, count: count / 4 } as const;
    return { comparisons: [await compareDeliveries(setup, ten), await compareDeliveries(setup, one)] };
  },
};

async function compareDeliveries(setup: Setup, scenario: DeliveryScenario): Promise<Comparison> {
  const { client, seeded, receiver, profile, log } = setup;
  const webhooks = await addWebhooks(client, seeded, {
    count: scenario.webhooks,
    url: receiver.url,
    events: ['task.completed'],
  });
  const warmUp = { ...scenario, count: Math.ceil(scenario.count / 5) };
  const measured: { service: Round; baseline: Round }[] = [];
  for (let round = 0; round < profile.rounds; round += 1) {
    if (round === 0) await runRound(setup, warmUp, webhooks);
    const result = await runRound(setup, scenario, webhooks);
    log(roundLine(scenario, round, result));
    measured.push(result);
  }
  return summarize(scenario, measured);
}

/** The service runs first. The baseline then posts the same bodies to the same URLs. */
async function runRound(setup: Setup, scenario: DeliveryScenario, webhooks: { ids: string[]; urls: string[] }) {
  const { client, databaseUrl, seeded, worker, baseline } = setup;
  // Disabled webhooks hold the deliveries back until all are queued.
  const bodies = await queueEvents(client, seeded, webhooks.ids, scenario.count);
  const service = await timeReceipts(setup, scenario, worker, true, () => enable(client, webhooks.ids, true));
  await drain(databaseUrl);
  await enable(client, webhooks.ids, false);

  // As many requests in flight as the service may have.
  const job: PostJob = { urls: webhooks.urls, bodies, concurrency: 5 * scenario.webhooks };
  const bare = await timeReceipts(setup, scenario, baseline, false, async () => {
    baseline.process.send(job);
    await baseline.message();
  });
  return { service, baseline: bare };
}

/**
 * The rate between the first and the last tenth of the arrivals, to leave out start and end. The CPU time covers all
 * deliveries.
 */
async function timeReceipts(
  { receiver, postgres }: Setup,
  { count }: DeliveryScenario,
  sender: Child,
  usesPostgres: boolean,
  start: () => Promise<void>,
): Promise<Round> {
  const cpu = async () => [await cpuSeconds(sender.pid), usesPostgres ? await cpuSeconds(postgres.pid) : null];
  const before = await cpu();
  const [times] = await Promise.race([Promise.all([receiver.receive(count), start()]), sender.lost]);
  const after = await cpu();
  const [serverCpu = null, postgresCpu = null] = after.map((seconds, index) =>
    perRequest(before[index] ?? null, seconds, count),
  );
  const [from, to] = [Math.floor(count * 0.1), Math.floor(count * 0.9)];
  const milliseconds = (times[to] ?? NaN) - (times[from] ?? NaN);
  return { perSecond: ((to - from) * 1000) / milliseconds, p50: null, p99: null, serverCpu, postgresCpu, waiting: 0 };
}
