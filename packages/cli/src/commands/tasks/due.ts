import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { usage } from '../../errors.ts';
import { examples } from '../../options.ts';
import { isDate, parseTime } from '../../time.ts';
import { addTaskArguments, onTask } from './on-task.ts';

interface DueOptions {
  readonly clear?: boolean;
  readonly dateOnly?: boolean;
}

/** `runward tasks due`. */
export function setTaskDue(tasks: Command, action: Action): void {
  addTaskArguments(tasks.command('due'))
    .argument('[when]', 'a date, or a date with a time; local time unless it has an offset')
    .option('--clear', 'remove the deadline')
    .option(
      '--date-only',
      "due at the end of that day in the organization's time zone; implied by a date without a time",
    )
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
        if ((when === undefined) === (clear === undefined)) throw usage('Give a due date, or use --clear.');
        if (clear && dateOnly) throw usage('--date-only cannot be combined with --clear.');
        const body = when === undefined ? { dueAt: null } : parseDueDate(when, dateOnly === true);
        await onTask(cli, [run, task], async (client, found) => {
          await client.runs.tasks.setDueDate(found.task.runTaskId, body);
        });
      }),
    );
}

/**
 * Parses a due date. A date without a time is sent as noon in local time, because that is the same day in every time
 * zone less than twelve hours away. The server moves it to the end of the day.
 *
 * @throws CliError if the text is neither a date nor a date with a time
 */
export function parseDueDate(text: string, dateOnly: boolean): { dueAt: string; dueAtHasTime: boolean } {
  const time = parseTime(text, '12:00');
  if (time) return { dueAt: time.toISOString(), dueAtHasTime: !isDate(text) && !dateOnly };
  throw usage(`"${text}" is neither a date like 2026-03-01 nor a time like 2026-03-01T17:00.`);
}
