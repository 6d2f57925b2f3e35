import type { RunExplanation } from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { findTask } from '../../lookup/run-task.ts';
import { findRunId, runArgument } from '../../lookup/run.ts';
import { examples } from '../../options.ts';
import { printList, printRecord, type Output } from '../../output/print.ts';
import { printable } from '../../output/printable.ts';
import { wrapped } from '../../output/wrapped.ts';

type Reasons = RunExplanation['run']['reasons'];

const columns = ['runTaskId', 'title', 'status', 'hidden', 'code', 'message'];
const ids = ['runTaskIds', 'fieldIds', 'ruleId', 'userId', 'groupId', 'approverIds', 'approverGroupIds'];
const layout = { columns, fields: [...columns, ...ids] };

/** `runward runs explain`: explains the status of a run and its tasks. */
export function explainRun(runs: Command, action: Action): void {
  runs
    .command('explain')
    .argument('<run>', runArgument)
    .argument('[task]', 'only this task: runTaskId, title, or the start of a title if no other task has it')
    .addHelpText('after', examples('runward runs explain RUN', 'runward runs explain RUN "Sign the contract" -o json'))
    .action(
      action(async (cli, run: string, task: string | undefined) => {
        const client = await cli.connect();
        const id = await findRunId(client, run);
        const found = task === undefined ? null : findTask(await client.runs.get(id), task);
        const all = await client.runs.explain(id);
        const tasks = found ? all.tasks.filter(({ runTaskId }) => runTaskId === found.runTaskId) : all.tasks;
        await print(cli.output, { run: found ? null : all.run, tasks });
      }),
    );
}

/**
 * A table would cut off the sentences, so a terminal shows each on its own lines. `run` is null if a single task was
 * requested.
 */
async function print(
  output: Output,
  { run, tasks }: { run: RunExplanation['run'] | null; tasks: RunExplanation['tasks'] },
): Promise<void> {
  if (output.format === 'json' && !output.fields) {
    return printRecord(output, run ? { run, tasks } : tasks[0], { columns: [], fields: ['run', 'tasks'] });
  }
  if (output.format !== 'table' || output.fields) {
    const ofRun = run ? rows({ runTaskId: null, title: null, status: run.status, hidden: false }, run.reasons) : [];
    const ofTasks = tasks.flatMap(({ reasons, ...task }) => rows(task, reasons));
    return printList(output, [...ofRun, ...ofTasks], layout);
  }
  const blocks = tasks.map(({ title, status, hidden, reasons }) =>
    block(`${title}: ${status}${hidden ? ', hidden' : ''}`, reasons),
  );
  const text = run?.completable ? `${run.status}, can be completed` : run?.status;
  output.write([...(run ? [block(`Run: ${text}`, run.reasons)] : []), ...blocks].join('\n\n'));

  function block(heading: string, reasons: Reasons): string {
    const lines = reasons.flatMap(({ message }) => wrapped(printable(message), output.width - 2));
    return [output.bold(printable(heading)), ...lines.map((line) => `  ${line}`)].join('\n');
  }
}

function rows(of: object, reasons: Reasons): object[] {
  return reasons.map((reason) => Object.assign({}, of, reason));
}
