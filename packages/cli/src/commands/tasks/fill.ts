import { isFilled } from '@runward/engine';
import { loadForm, visibleFields, type Form } from '@runward/sdk/form';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { rejected, usage } from '../../errors.ts';
import { askForm } from '../../form/fill-form.ts';
import { commandFor, printHeader } from '../../form/header.ts';
import { saveFromOptions } from '../../form/read-form.ts';
import { examples } from '../../options.ts';
import { addTaskArguments, addValueOption, checkActive, onTask, readValues, taskCompleted } from './on-task.ts';

/** `runward tasks fill`: saves form values; the task stays open. */
export function fillTask(tasks: Command, action: Action): void {
  addValueOption(addTaskArguments(tasks.command('fill')))
    .addHelpText(
      'after',
      `\nOn a terminal, it asks for every field unless --value is used; nothing has to be entered. "tasks complete" goes on from there.\n${examples(
        'runward tasks fill RUN "Sign the contract"',
        'runward tasks fill RUN sign --value signedOn=2026-03-01 --value scans=@page-1.pdf',
      )}`,
    )
    .action(
      action(async (cli, run: string, task: string, { value }: { value?: readonly string[] }) => {
        const given = readValues(value);
        const prompts = value === undefined ? cli.prompts : null;
        if (value === undefined && !prompts) throw usage('Use --value, or run the command on a terminal to be asked.');
        await onTask(cli, [run, task], async (client, found) => {
          checkActive(found.run);
          const { title, status, repeatable } = found.task;
          if (status === 'COMPLETED' && !repeatable) throw taskCompleted(found);
          const form = await loadForm(client, found.task);
          if (form.fields.length === 0) throw rejected(`"${title}" has no form; complete it instead.`);
          if (prompts) printHeader(cli, found.run, form);
          const goOn = commandFor('fill', found.run, found.task);
          const saved = prompts
            ? (await askForm(cli, client, form, { prompts, isPartial: true, goOn })).form
            : await saveFromOptions(cli, client, form, given);
          cli.info(remainder(saved, commandFor('complete', found.run, found.task)));
        });
      }),
    );
}

function remainder(form: Form, complete: string): string {
  const missing = visibleFields(form).filter(({ id, required }) => required && !isFilled(form.values.get(id) ?? null));
  if (missing.length === 0) return `The form is saved. To complete the task: ${complete}`;
  return `The form is saved. Still required: ${missing.map(({ label }) => `"${label}"`).join(', ')}.`;
}
