import type { Run, RunTask } from '@runward/sdk';
import { loadForm } from '@runward/sdk/form';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { rejected, usage } from '../../errors.ts';
import { checkApproval, rejectionText, waitingText } from '../../form/approval.ts';
import { askForm } from '../../form/fill-form.ts';
import { commandFor, printHeader } from '../../form/header.ts';
import { fillFromOptions } from '../../form/read-form.ts';
import { completeForm } from '../../form/submit-form.ts';
import { examples } from '../../options.ts';
import { addTaskArguments, addValueOption, checkActive, onTask, readValues, taskCompleted } from './on-task.ts';

interface CompleteOptions {
  readonly value?: readonly string[];
  readonly direct?: boolean;
}

/** `runward tasks complete`: fills in the form of a task and completes it. */
export function completeTask(tasks: Command, action: Action): void {
  addValueOption(addTaskArguments(tasks.command('complete')))
    .option('--direct', 'set the status without filling in the form')
    .addHelpText(
      'after',
      `\nOn a terminal, it asks for every field unless --value is used. Escape goes back to the previous question. Ctrl-C saves what was entered;
the same command then goes on from there.\n${examples(
        'runward tasks complete RUN "Sign the contract"',
        'runward tasks complete RUN sign --value signedOn=2026-03-01 --value copies=2',
        'runward tasks complete RUN sign --value scans=@page-1.pdf --value scans=@page-2.pdf --value signature=@signature.png',
        'runward tasks complete RUN sign --direct',
      )}`,
    )
    .action(
      action(async (cli, run: string, task: string, { value, direct }: CompleteOptions) => {
        if (direct && value) throw usage('--direct skips the form; use either --direct or --value.');
        const given = readValues(value);
        await onTask(cli, [run, task], async (client, found) => {
          const { title, status, repeatable } = found.task;
          if (status === 'COMPLETED' && value && !repeatable) throw taskCompleted(found);
          if (status === 'COMPLETED' && !value) return cli.info(`"${title}" is already completed.`);
          checkCompletable(found.run, found.task);
          // With --value, the form can still be corrected.
          if (found.task.status === 'PENDING_APPROVAL' && !value) throw rejected(await waitingText(client, found.task));
          if (direct) {
            await checkApproval(
              client,
              found.task,
              'Correct its form without --direct; that requests the approval again.',
            );
            await client.runs.tasks.setStatus(found.task.runTaskId, { status: 'COMPLETED' });
            return;
          }
          const form = await loadForm(client, found.task);
          const prompts = value === undefined && form.fields.length > 0 ? cli.prompts : null;
          if (prompts) printHeader(cli, found.run, form);
          const rejection = prompts ? await rejectionText(client, found.task) : null;
          if (rejection !== null) cli.info(rejection);
          const goOn = commandFor('complete', found.run, found.task);
          const filled = prompts
            ? await askForm(cli, client, form, { prompts, isPartial: false, goOn })
            : await fillFromOptions(cli, client, form, given);
          await completeForm(cli, client, filled);
        });
      }),
    );
}

// Checked before the form is filled in, because the server rejects the completion only after that.
function checkCompletable(run: Run, task: RunTask): void {
  checkActive(run);
  if (task.status !== 'BLOCKED') return;
  const titles = run.tasks
    .filter(({ runTaskId }) => task.blockedBy.includes(runTaskId))
    .map(({ title }) => `"${title}"`);
  throw rejected(
    `"${task.title}" is blocked until these are completed: ${titles.join(', ')}.`,
    `To fill in its form meanwhile: ${commandFor('fill', run, task)}`,
  );
}
