import type { Client } from '@runward/sdk';
import { table } from '@runward/testing/measuring/table';
import type { Reconciliation } from './deliveries.ts';

/** A run as it ended. */
export type FinishedRun = Awaited<ReturnType<Client['runs']['get']>>;

/** The results of the demo as a table. An indented label belongs to the line above. */
export function summarize(
  runs: readonly FinishedRun[],
  { values, files }: { readonly values: number; readonly files: number },
  reconciliation: Reconciliation,
  seconds: number,
): string {
  const inStatus = (status: FinishedRun['status']) => runs.filter((run) => run.status === status).length;
  const tasks = runs.flatMap((run) => run.tasks);
  const completed = tasks.filter((task) => task.status === 'COMPLETED').length;
  const { sent, received, verified, duplicates, rejected, lost } = reconciliation;
  const rows: readonly (readonly [label: string, amount: string | number, remark?: string])[] = [
    ['Runs launched', runs.length],
    ['  completed', inStatus('COMPLETED')],
    ['  running', inStatus('RUNNING')],
    ['  overdue', inStatus('OVERDUE')],
    ['  cancelled', inStatus('CANCELLED')],
    ['Tasks completed', completed, `of ${tasks.length}`],
    ['Form values', values],
    ['Files attached', files, 'SHA-256 verified'],
    ['Events sent', sent],
    ['  received', received],
    ['  verified', verified, 'signature and timestamp'],
    ['  duplicates', duplicates],
    ['  rejected', rejected],
    ['  lost', lost],
    ['Duration', seconds.toFixed(1), 'seconds'],
  ];
  const cells = rows.map(([label, amount, remark = '']) => [label, `${amount}`, remark]);
  const lines = table(cells, ['left', 'right', 'left']).split('\n');
  const rule = '─'.repeat(Math.max(...lines.map((line) => line.length)));
  return [rule, ...lines, rule].map((line) => `  ${line}`).join('\n');
}
