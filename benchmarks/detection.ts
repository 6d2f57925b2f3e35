import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { addDueRuns, type DueRuns } from './due-runs.ts';
import { addWebhooks, enable } from './outbox.ts';
import { startReceiverProcess } from './receiver-process.ts';
import type { Seed } from './seed.ts';
import { startRunward } from './service.ts';

/** How long after their deadline overdue tasks were detected, in seconds. */
export interface Detection {
  readonly tasks: number;
  /** Until the first was recorded: the wait for the job that detects them. */
  readonly first: number;
  /** Until the last was recorded. */
  readonly last: number;
  /** Until the event of the last arrived at the receiver. */
  readonly received: number;
}

/** What measuring the detection needs. */
export interface DetectionBench {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly seeded: DueRuns & Pick<Seed, 'organizationId'>;
  readonly tasks: number;
}

/** Time to insert the tasks before they are due. */
const aheadSeconds = 6;
const pollMs = 100;
const maxWaitSeconds = 300;

/** Measures with tasks that all fall due at the same instant while a worker runs. The stack stops what it starts. */
export async function measureDetection(
  { databaseUrl, folder, seeded, tasks }: DetectionBench,
  stack: AsyncDisposableStack,
): Promise<Detection> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  stack.defer(() => client.end());
  const receiver = stack.use(await startReceiverProcess(folder));
  const webhook = { count: 1, url: receiver.url, events: ['task.overdue'] };
  const { ids } = await addWebhooks(client, seeded, webhook);
  await enable(client, ids, true);
  const worker = stack.use(await startRunward({ databaseUrl, folder, mode: 'local', role: 'worker' }));

  const deadline = await addDueRuns(client, seeded, tasks, aheadSeconds);
  const received = receiver.receive(tasks);
  // A failure is reported when the receipts are awaited below.
  received.catch(() => {});
  await pause(Math.max(0, deadline.getTime() - Date.now()));
  const detected = await Promise.race([watch(client, deadline, tasks), worker.lost]);
  const last = (await received).at(-1) ?? NaN;
  return { tasks, ...detected, received: (last - deadline.getTime()) / 1000 };
}

/** Waits until all tasks with this deadline are detected, and returns when the first and the last were, in seconds after it. */
export async function watch(client: Client, deadline: Date, tasks: number) {
  const since = () => (Date.now() - deadline.getTime()) / 1000;
  let first: number | undefined;
  for (; ; await pause(pollMs)) {
    const { rows } = await client.query<{ waiting: number }>(
      'select count(*)::int as waiting from runs where next_deadline_at = $1',
      [deadline],
    );
    const waiting = rows[0]?.waiting ?? 0;
    if (waiting < tasks) first ??= since();
    if (first !== undefined && waiting === 0) break;
    if (since() > maxWaitSeconds) throw new Error(`${waiting} due tasks were not detected within ${maxWaitSeconds} s.`);
  }
  const last = since();
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from activity where type = 'task.overdue' and (data ->> 'deadlineAt')::timestamptz = $1`,
    [deadline],
  );
  if (rows[0]?.count !== tasks) throw new Error(`${rows[0]?.count} of ${tasks} due tasks were recorded as overdue.`);
  return { first, last };
}
