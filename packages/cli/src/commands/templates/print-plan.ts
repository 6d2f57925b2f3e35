import type { Template } from '@runward/sdk';
import type { Cli } from '../../cli.ts';
import { printList, printRecord } from '../../output/print.ts';
import { printableLines } from '../../output/printable.ts';
import { describePlan } from '../../template-file/describe-plan.ts';
import type { PlannedChange } from '../../template-file/plan.ts';

/** What is printed of a plan. */
interface PrintedPlan {
  readonly template: Template | null;
  /** The name in the file. */
  readonly name: string;
  readonly changes: readonly PlannedChange[];
  /** null if the API key may not read runs. */
  readonly activeRuns: number | null;
}

/** Prints a plan: text for people, one record as JSON, or only the changes as CSV. */
export async function printPlan({ output, info }: Cli, plan: PrintedPlan): Promise<void> {
  const { template, name, changes, activeRuns } = plan;
  if (output.format === 'json' || output.format === 'jsonl' || output.fields) {
    const fields = ['templateId', 'changes', 'activeRuns'];
    const record = { templateId: template?.id ?? null, changes, activeRuns };
    return printRecord(output, record, { columns: fields, fields });
  }
  if (output.format === 'csv') return printChanges(output, changes);
  if (changes.length === 0) info(`No changes in "${name}".`);
  else output.write(printableLines(describePlan(changes).join('\n')));
  const effect = template && effectOn(template, activeRuns);
  if (effect) info(effect);
}

/** Prints changes as rows. */
export async function printChanges(output: Cli['output'], changes: readonly PlannedChange[]): Promise<void> {
  const columns = ['kind', 'entity', 'label', 'before', 'after'];
  await printList(output, changes, { columns, fields: columns });
}

/** What a publication would mean for runs that are under way. */
function effectOn({ publishedVersionId }: Template, activeRuns: number | null): string | null {
  if (publishedVersionId === null || activeRuns === 0) return null;
  if (activeRuns === null)
    return 'Active runs keep the tasks and fields of their version and get the new rules; the API key may not count them.';
  const [runs, their, get] =
    activeRuns === 1 ? ['1 active run keeps', 'its', 'gets'] : [`${activeRuns} active runs keep`, 'their', 'get'];
  return `If this is published, ${runs} the tasks and fields of ${their} version and ${get} the new rules.`;
}
