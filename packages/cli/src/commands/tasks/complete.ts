import type { Command } from 'commander';
import { action } from '../../cli.ts';
import { refused, usage } from '../../errors.ts';
import { askForm, completeForm, readForm } from '../../form/fill-form.ts';
import { loadForm } from '../../form/load-form.ts';
import type { Run, RunTask } from '../../lookup/run-task.ts';
import { collect, examples, keyValues } from '../../options.ts';
import { canAsk, note } from '../../terminal/notes.ts';
import { addTaskArguments, onTask } from './on-task.ts';

interface CompleteOptions {
  readonly value?: readonly string[];
  readonly direct?: boolean;
}

/** `runward tasks complete`: fills in the form of a task and completes it. */
export function completeTask(tasks: Command): void {
  addTaskArguments(tasks.command('complete').description('Fill in the form of a task and complete it'))
    .option(
      '--value <key=value>',
      'value of a field; lists are separated by commas, nothing clears (repeatable)',
      collect,
    )
    .option('--direct', 'set the status without the form')
    .addHelpText(
      'after',
      `\nOn a terminal it asks for every field, unless --value is given.\n${examples(
        'runward tasks complete RUN "Sign the contract"',
        'runward tasks complete RUN sign --value signedOn=2026-03-01 --value copies=2',
        'runward tasks complete RUN sign --direct',
      )}`,
    )
    .action(
      action(async (cli, run: string, task: string, { value, direct }: CompleteOptions) => {
        if (direct && value) throw usage('--direct skips the form; leave --value out, or leave --direct out.');
        const given = keyValues('--value', value);
        await onTask(cli, [run, task], async (client, found) => {
          if (found.task.status === 'COMPLETED') return note(`"${found.task.title}" is completed already.`);
          refuseStuck(found.run, found.task);
          if (direct) {
            await client.runs.tasks.setStatus(found.task.runTaskId, { status: 'COMPLETED' });
            return;
          }
          const form = await loadForm(client, found.run, found.task);
          const ask = value === undefined && form.fields.length > 0 && canAsk();
          await completeForm(client, form, ask ? await askForm(client, form) : await readForm(client, form, given));
        });
      }),
    );
}

// Nobody should fill in a form for nothing.
function refuseStuck({ id, status, tasks }: Run, task: RunTask): void {
  if (status === 'COMPLETED' || status === 'CANCELLED') {
    throw refused(`The run is ${status}. To go on with it: runward runs reopen ${id}`);
  }
  if (task.status === 'PENDING_APPROVAL') throw refused(`"${task.title}" waits for its approval.`);
  if (task.status !== 'BLOCKED') return;
  const titles = tasks.filter(({ runTaskId }) => task.blockedBy.includes(runTaskId)).map(({ title }) => `"${title}"`);
  throw refused(`"${task.title}" is blocked until these are completed: ${titles.join(', ')}.`);
}
