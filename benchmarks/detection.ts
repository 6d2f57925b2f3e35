import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { addDueRuns } from './due-runs.ts';
import { addWebhooks, enable } from './outbox.ts';
import { startReceiverProcess } from './receiver-process.ts';
import type { Seed } from './seed.ts';
import { startRunward } from './service.ts';

/** How long after their deadline due tasks were found, in seconds. */
export interface Detection {
  readonly tasks: number;
  /** Until the first was written down: the wait for the job that looks for them. */
  readonly first: number;
  /** Until the last was written down. */
  readonly last: number;
  /** Until the receiver had heard of the last. */
  readonly received: number;
}

/** What measuring the detection needs. */
export interface DetectionBench {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly seeded: Seed;
  readonly tasks: number;
}

/** Time to make the tasks before they are due. */
const aheadSeconds = 6;
const lookMs = 100;
const patienceSeconds = 300;

/** Has many tasks fall due at the same instant while a worker runs. What it starts is stopped with the stack. */
export async function measureDetection(
  { databaseUrl, folder, seeded, tasks }: DetectionBench,
  stack: AsyncDisposableStack,
): Promise<Detection> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  stack.defer(() => client.end());
  const receiver = await startReceiverProcess(folder);
  stack.defer(() => receiver.stop());
  const webhook = { count: 1, url: receiver.url, events: ['task.overdue'] };
  const { ids } = await addWebhooks(client, seeded, webhook);
  await enable(client, ids, true);
  const worker = await startRunward({ databaseUrl, folder, mode: 'local', role: 'worker' });
  stack.defer(() => worker.stop());

  const deadline = await addDueRuns(client, seeded, tasks, aheadSeconds);
  const received = receiver.receive(tasks);
  // Whoever waits for the detection hears of it later.
  received.catch(() => {});
  await pause(Math.max(0, deadline.getTime() - Date.now()));
  const found = await Promise.race([watch(client, deadline, tasks), worker.lost]);
  const last = (await received).at(-1) ?? NaN;
  return { tasks, ...found, received: (last - deadline.getTime()) / 1000 };
}

/** Looks again and again how many tasks with this deadline still wait to be found. */
async function watch(client: Client, deadline: Date, tasks: number) {
  const since = () => (Date.now() - deadline.getTime()) / 1000;
  let first: number | undefined;
  for (; ; await pause(lookMs)) {
    const { rows } = await client.query<{ waiting: number }>(
      'select count(*)::int as waiting from runs where next_deadline_at = $1',
      [deadline],
    );
    const waiting = rows[0]?.waiting ?? 0;
    if (waiting < tasks) first ??= since();
    if (first !== undefined && waiting === 0) break;
    if (since() > patienceSeconds) throw new Error(`${waiting} due tasks were not found in ${patienceSeconds} s.`);
  }
  const last = since();
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from activity where type = 'task.overdue' and (data ->> 'deadlineAt')::timestamptz = $1`,
    [deadline],
  );
  if (rows[0]?.count !== tasks) throw new Error(`Of ${tasks} due tasks ${rows[0]?.count} were said to be overdue.`);
  return { first, last };
}
