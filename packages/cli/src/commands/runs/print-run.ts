import type { Run } from '@runward/sdk';
import { run as layout, runTask } from '../../output/layouts.ts';
import { printList, printRecord, type Output } from '../../output/print.ts';

/** Prints a run; in table format, its tasks follow as a second table. */
export async function printRun(output: Output, run: Run): Promise<void> {
  await printRecord(output, run, layout);
  if (output.format !== 'table' || output.fields) return;
  output.write('');
  await printList(output, run.tasks, runTask);
}
