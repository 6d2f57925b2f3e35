import type { Command } from 'commander';
import { action } from '../../cli.ts';
import { usage } from '../../errors.ts';
import { isDay, readMoment } from '../../moment.ts';
import { examples } from '../../options.ts';
import { addTaskArguments, onTask } from './on-task.ts';

interface DueOptions {
  readonly clear?: boolean;
  readonly dateOnly?: boolean;
}

/** `runward tasks due`. */
export function setTaskDue(tasks: Command): void {
  addTaskArguments(tasks.command('due').description('Set or clear the deadline of a task'))
    .argument('[when]', 'a day, or a moment; without a zone it is local time')
    .option('--clear', 'remove the deadline')
    .option('--date-only', "due at the end of that day in the organization's time zone; a plain day implies it")
    .addHelpText(
      'after',
      examples(
        'runward tasks due RUN "Sign the contract" 2026-03-01',
        'runward tasks due RUN "Sign the contract" 2026-03-01T17:00',
        'runward tasks due RUN "Sign the contract" 2026-03-01T16:00:00Z',
        'runward tasks due RUN "Sign the contract" --clear',
      ),
    )
    .action(
      action(async (cli, run: string, task: string, when: string | undefined, { clear, dateOnly }: DueOptions) => {
        if ((when === undefined) === (clear === undefined)) throw usage('Say when the task is due, or give --clear.');
        if (clear && dateOnly) throw usage('--date-only needs a day; leave it out with --clear.');
        const body = when === undefined ? { dueAt: null } : readWhen(when, dateOnly === true);
        await onTask(cli, [run, task], async (client, found) => {
          await client.runs.tasks.setDueDate(found.task.runTaskId, body);
        });
      }),
    );
}

/**
 * The deadline a text means. A day becomes its noon here, which lies in the same day of every zone less than twelve hours
 * away; the server moves it to the end of that day.
 *
 * @throws CliError when the text is neither a day nor a moment
 */
export function readWhen(text: string, dateOnly: boolean): { dueAt: string; dueAtHasTime: boolean } {
  const moment = readMoment(text, '12:00');
  if (moment) return { dueAt: moment.toISOString(), dueAtHasTime: !isDay(text) && !dateOnly };
  throw usage(`"${text}" is neither a day like 2026-03-01 nor a moment like 2026-03-01T17:00.`);
}
