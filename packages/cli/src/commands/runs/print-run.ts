import type { Run } from '../../lookup/run-task.ts';
import { run as layout, runTask } from '../../output/layouts.ts';
import { printList, printRecord, write, type Output } from '../../output/print.ts';

/** Prints a run; a table shows its tasks below it. */
export async function printRun(output: Output, run: Run): Promise<void> {
  await printRecord(output, run, layout);
  if (output.format !== 'table' || output.fields) return;
  write('');
  await printList(output, run.tasks, runTask);
}
