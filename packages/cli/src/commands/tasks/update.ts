import type { BodyInput, Contract } from '@runward/contract';
import type { Client } from '@runward/sdk';
import { findId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { usage } from '../../errors.ts';
import { readId } from '../../lookup/ids.ts';
import { choice, examples } from '../../options.ts';
import { parseDueDate } from './due.ts';

const settable = ['PENDING', 'COMPLETED'] as const;

interface UpdateOptions {
  readonly status?: (typeof settable)[number];
  readonly user?: string;
  readonly group?: string;
  readonly unassign?: boolean;
  readonly due?: string;
  readonly dateOnly?: boolean;
  readonly clearDue?: boolean;
}

type Changes = Omit<BodyInput<Contract['runs.tasks']['bulkUpdate']>, 'taskIds'>;

/** `runward tasks update`: changes tasks of several runs, all or none. */
export function updateTasks(tasks: Command, action: Action): void {
  tasks
    .command('update')
    .argument('<task...>', 'runTaskIds of tasks of any runs')
    .addOption(choice('--status <status>', 'COMPLETED skips the forms of the tasks', settable))
    .option('--user <id|email>', 'assign to this member')
    .option('--group <id|name>', 'assign to this group')
    .option('--unassign', 'remove the assignment')
    .option('--due <when>', 'a date, or a date with a time; local time unless it has an offset')
    .option(
      '--date-only',
      "with --due: due at the end of that day in the organization's time zone; implied by a date without a time",
    )
    .option('--clear-due', 'remove the deadline')
    .addHelpText(
      'after',
      examples(
        'runward tasks update TASK TASK --user ada@example.com --due 2026-03-01',
        "runward tasks list --mine --overdue -o jsonl | jq -r '.runTaskId' | xargs runward tasks update --due 2026-03-01",
      ),
    )
    .action(
      action(async (cli, given: string[], options: UpdateOptions) => {
        checkOptions(options);
        const taskIds = [...new Set(given.map((task) => readId('runTask', task)))];
        const due = dueDateOf(options);
        const client = await cli.connect();
        const changes = { status: options.status, ...(await assigneeOf(client, options)), ...due };
        await client.runs.tasks.bulkUpdate({ taskIds, ...changes });
        cli.info(`Tasks updated: ${taskIds.length}.`);
      }),
    );
}

function checkOptions({ status, user, group, unassign, due, dateOnly, clearDue }: UpdateOptions): void {
  const assignments = [user, group, unassign].filter((option) => option !== undefined).length;
  if (assignments > 1) throw usage('Use one of --user, --group and --unassign.');
  if (due !== undefined && clearDue) throw usage('Use either --due or --clear-due.');
  if (dateOnly && due === undefined) throw usage('--date-only needs --due.');
  if (status === undefined && assignments === 0 && due === undefined && !clearDue) {
    throw usage('Use at least one of --status, --user, --group, --unassign, --due and --clear-due.');
  }
}

function dueDateOf({ due, dateOnly, clearDue }: UpdateOptions): Changes {
  if (due !== undefined) return parseDueDate(due, dateOnly === true);
  return clearDue ? { dueAt: null } : {};
}

async function assigneeOf(client: Client, { user, group, unassign }: UpdateOptions): Promise<Changes> {
  if (user !== undefined) return { assigneeId: await findId(client, 'member', user), assigneeGroupId: null };
  if (group !== undefined) return { assigneeId: null, assigneeGroupId: await findId(client, 'group', group) };
  return unassign ? { assigneeId: null, assigneeGroupId: null } : {};
}
