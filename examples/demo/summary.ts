import type { Client } from '@runward/sdk';
import type { Account } from './deliveries.ts';
import { table } from './table.ts';

/** A run as it ended. */
export type FinishedRun = Awaited<ReturnType<Client['runs']['get']>>;

/** The demo in numbers, as a table for people. */
export function summarise(runs: readonly FinishedRun[], values: number, account: Account, seconds: number): string {
  const inStatus = (status: FinishedRun['status']) => runs.filter((run) => run.status === status).length;
  const tasks = runs.flatMap((run) => run.tasks);
  const done = tasks.filter((task) => task.status === 'COMPLETED').length;
  const { sent, received, verified, duplicates, refused, lost } = account;
  return table([
    ['Runs launched', runs.length],
    ['  completed', inStatus('COMPLETED')],
    ['  running', inStatus('RUNNING')],
    ['  overdue', inStatus('OVERDUE')],
    ['  cancelled', inStatus('CANCELLED')],
    ['Tasks done', done, `of ${tasks.length}`],
    ['Form values', values],
    ['Events sent', sent],
    ['  received', received],
    ['  verified', verified, 'signature and timestamp'],
    ['  duplicates', duplicates],
    ['  refused', refused],
    ['  lost', lost],
    ['Took', seconds.toFixed(1), 'seconds'],
  ]);
}
