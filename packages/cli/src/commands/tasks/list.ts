import type { TaskStatus } from '@runward/contract';
import { findId, findValueFilters } from '@runward/sdk/find';
import { Option, type Command } from 'commander';
import type { Action } from '../../action.ts';
import type { Cli } from '../../cli.ts';
import { usage } from '../../errors.ts';
import { taskStatuses } from '../../generated/values.ts';
import { findRunId, runArgument } from '../../lookup/run.ts';
import { collect, examples, oneOf } from '../../options.ts';
import { myTask, runTask, taskLine } from '../../output/layouts.ts';
import { printList } from '../../output/print.ts';
import {
  addBoundedPaging,
  addMaxStale,
  pageQuery,
  printPages,
  type BoundedPagingOptions,
  type StaleOptions,
} from '../list.ts';
import { fieldText } from '../runs/filters.ts';

interface ListOptions extends BoundedPagingOptions, StaleOptions {
  readonly mine?: boolean;
  readonly user?: string;
  readonly group?: string;
  readonly template?: string;
  readonly field?: readonly string[];
  readonly status?: readonly TaskStatus[];
  readonly overdue?: boolean;
  readonly dueBefore?: string;
  readonly dueAfter?: string;
}

const open = ['PENDING', 'BLOCKED', 'PENDING_APPROVAL'] as const;

const addStatus = (text: string, before: readonly TaskStatus[] = []) => [...before, oneOf(taskStatuses)(text)];

/** `runward tasks list`: the tasks of a run, or open tasks of all active runs. */
export function listTasks(tasks: Command, action: Action): void {
  const command = tasks
    .command('list')
    .argument('[run]', runArgument)
    .option(
      '--mine',
      'only your tasks: assigned to you or a group of yours, or waiting for your approval; with COMPLETED, only those assigned to you',
    )
    .option('--user <id|email>', 'only tasks assigned to this member')
    .option('--group <id|name>', 'only tasks assigned to this group')
    .option('--template <id|name>', 'only tasks of runs of this template')
    .option('--field <condition>', fieldText, collect)
    .addOption(
      new Option('--status <status>', 'only tasks with this status (repeatable; default: all but COMPLETED)')
        .choices(taskStatuses)
        .argParser(addStatus),
    )
    .option('--overdue', 'only open tasks past their deadline')
    .option('--due-before <timestamp>', 'only tasks with an earlier deadline, like 2026-03-01T09:00:00Z')
    .option('--due-after <timestamp>', 'only tasks with this deadline or a later one')
    .addHelpText(
      'after',
      examples('runward tasks list --mine', 'runward tasks list --overdue --template Onboarding -o csv'),
    );
  addMaxStale(addBoundedPaging(command)).action(
    action(async (cli, run: string | undefined, options: ListOptions) => {
      if (run === undefined) return listAll(cli, options);
      if (Object.keys(options).length > 0) throw usage('Use either the ID of a run or options that select tasks.');
      const client = await cli.connect();
      const id = await findRunId(client, run);
      const { runs } = client;
      await printList(cli.output, (await runs.get(id)).tasks, runTask);
    }),
  );
}

async function listAll(cli: Cli, options: ListOptions): Promise<void> {
  const {
    mine,
    user,
    group,
    template,
    field,
    status = open,
    overdue,
    all,
    limit,
    total,
    maxStale,
    ...filters
  } = options;
  if ([mine, user, group].filter((option) => option !== undefined).length > 1) {
    throw usage('Use one of --mine, --user and --group.');
  }
  const client = await cli.connect();
  const assigneeId = mine ? 'me' : user && (await findId(client, 'member', user));
  const assigneeGroupId = group && (await findId(client, 'group', group));
  const paging = { all, limit, total };
  const templateId = template === undefined ? undefined : await findId(client, 'template', template);
  const query = {
    ...filters,
    templateId,
    values:
      field && JSON.stringify(await findValueFilters(client, field, templateId === undefined ? [] : [templateId])),
    ...pageQuery(paging),
  };
  const stale = { maxStaleSeconds: maxStale };
  const openStatus = status.filter((each) => each !== 'COMPLETED');
  if (mine && openStatus.length === status.length) {
    const list = client.me.tasks.list({ ...query, status: openStatus, due: overdue ? 'OVERDUE' : undefined }, stale);
    return printPages(cli, list, paging, myTask);
  }
  const list = client.runs.tasks.list({ ...query, assigneeId, assigneeGroupId, overdue, status: [...status] }, stale);
  await printPages(cli, list, paging, taskLine);
}
