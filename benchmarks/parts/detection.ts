import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Bench, Figure, Part } from '../harness/part.ts';
import { startRunward } from '../harness/service.ts';
import { startReceiverProcess } from '../load/receiver-process.ts';
import { addDueRuns, type DueRuns } from '../seed/due-runs.ts';
import { addWebhooks, enable } from '../seed/outbox.ts';

/** The detection of overdue tasks by a worker. */
export const detection: Part = {
  name: 'detection',
  needs: 'seed',
  measure: async (bench) => ({
    figures: await measureDetection(bench, bench.seeded, bench.profile.isQuick ? 2_000 : 10_000),
  }),
};

/** Time to insert the tasks before they are due. */
const aheadSeconds = 6;
const pollMs = 100;
const maxWaitSeconds = 300;

/** Measures detection while a worker runs. All tasks fall due at the same instant, each in its own run. */
export async function measureDetection(
  bench: Pick<Bench, 'folder' | 'stack'> & { readonly databaseUrl: string },
  seeded: DueRuns,
  tasks: number,
): Promise<Figure[]> {
  const { databaseUrl, folder, stack } = bench;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  stack.defer(() => client.end());
  const receiver = stack.use(await startReceiverProcess(folder));
  const webhook = { count: 1, url: receiver.url, events: ['task.overdue'] };
  const { ids } = await addWebhooks(client, seeded, webhook);
  await enable(client, ids, true);
  const worker = stack.use(await startRunward({ ...bench, mode: 'local', role: 'worker' }));

  const deadline = await addDueRuns(client, seeded, tasks, aheadSeconds);
  const received = receiver.receive(tasks);
  // A failure is reported when the receipts are awaited below.
  received.catch(() => {});
  await pause(Math.max(0, deadline.getTime() - Date.now()));
  const { first, last } = await Promise.race([watch(client, deadline, tasks), worker.lost]);
  const lastReceipt = (await received).at(-1) ?? NaN;
  return [
    ...figuresOf(`deadline of ${tasks.toLocaleString('en')} tasks to activity`, { first, last }),
    { name: 'the same to receiver, s', max: (lastReceipt - deadline.getTime()) / 1000 },
  ];
}

/** The figures for a detection. The first task waits for the job, which runs every 30 s. */
export function figuresOf(name: string, { first, last }: { first: number; last: number }): Figure[] {
  return [
    { name: `${name}, first, s`, max: first },
    { name: `${name}, last, s`, max: last, aim: '< 90' },
  ];
}

/**
 * Waits until all tasks with this deadline are detected. Returns when the first and the last were detected, in seconds
 * after the deadline.
 */
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
