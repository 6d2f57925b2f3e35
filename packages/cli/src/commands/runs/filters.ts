import type { FilterSet, RunStatus } from '@runward/contract';
import type { Client, RunsListQuery } from '@runward/sdk';
import { find, findId, findValueFilters } from '@runward/sdk/find';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { runStatuses } from '../../generated/values.ts';
import { collect, list, oneOf, wholeNumber } from '../../options.ts';

/** The options of a filter set. */
export interface FilterSetOptions {
  readonly status?: readonly RunStatus[];
  readonly template?: readonly string[];
  readonly folder?: readonly string[];
  readonly owner?: readonly string[];
  readonly assignee?: readonly string[];
  readonly scheduledFrom?: string;
  readonly scheduledTo?: string;
  readonly createdFrom?: string;
  readonly createdTo?: string;
  readonly stalledForDays?: number;
  readonly search?: string;
  readonly field?: readonly string[];
  readonly archived?: boolean;
}

/** The options that filter runs. */
export interface FilterOptions extends FilterSetOptions {
  readonly view?: string;
  readonly scheduledDate?: string;
  readonly updatedAfter?: string;
}

/** What the option `--field` does. */
export const fieldText =
  'only runs with this value in a searchable field or flow variable, like "Amount>10000" or "Supplier~acme"; = ~ > < >= <= (repeatable)';

/** Adds the options of a filter set. */
export function addFilterSet(command: Command): Command {
  const status = new Option('--status <status>', 'only runs with this status (repeatable, or comma-separated)');
  return command
    .addOption(status.choices(runStatuses).argParser(statuses))
    .option('--template <id|name>', 'only runs of this template (repeatable)', collect)
    .option('--folder <id|name>', 'only runs of templates in this folder (repeatable)', collect)
    .option('--owner <id|email>', 'only runs that this member owns (repeatable)', collect)
    .option('--assignee <id|email>', 'only runs with a task assigned to this member (repeatable)', collect)
    .option('--scheduled-from <date>', 'only runs scheduled for this date or later, like 2026-03-01')
    .option('--scheduled-to <date>', 'only runs scheduled for this date or earlier')
    .option('--created-from <date>', 'only runs launched on this date or later')
    .option('--created-to <date>', 'only runs launched on this date or earlier')
    .option('--stalled-for-days <days>', 'only active runs without activity for this many days', wholeNumber(0))
    .option('--search <text>', 'only runs whose title contains this text')
    .option('--field <condition>', fieldText, collect)
    .option('--archived', 'archived runs instead');
}

/** Adds the options that filter runs. */
export function addFilters(command: Command): Command {
  return addFilterSet(command.option('--view <id|name>', 'the filters of this saved view; other options replace them'))
    .option('--scheduled-date <date>', 'only runs scheduled for this date, like 2026-03-01')
    .option('--updated-after <timestamp>', 'only runs changed later than this, like 2026-03-01T09:00:00Z');
}

/**
 * Builds a filter set from the options.
 *
 * @throws FindError if a template, folder or member does not exist
 */
export async function toFilterSet(client: Client, options: FilterSetOptions): Promise<FilterSet> {
  const { status, template, folder, owner, assignee, field, ...filters } = options;
  const resolve = async (kind: 'folder' | 'member' | 'template', given: readonly string[]) => {
    const ids = new Set<string>();
    for (const text of given) ids.add(await findId(client, kind, text));
    return [...ids];
  };
  const templateIds = template && (await resolve('template', template));
  return {
    ...filters,
    ...(status && { statuses: [...status] }),
    ...(templateIds && { templateIds }),
    ...(folder && { folderIds: await resolve('folder', folder) }),
    ...(owner && { ownerUserIds: await resolve('member', owner) }),
    ...(assignee && { assigneeIds: await resolve('member', assignee) }),
    ...(field && { values: await findValueFilters(client, field, templateIds) }),
  };
}

/**
 * Builds query parameters from the filter options.
 *
 * @throws FindError if the view, a template, a folder or a member does not exist
 */
export async function toQuery(
  client: Client,
  { view, scheduledDate, updatedAfter, ...options }: FilterOptions,
): Promise<Omit<RunsListQuery, 'limit' | 'cursor'>> {
  const saved = view === undefined ? {} : (await find(client, 'view', view)).filters;
  const { values, ...filters } = { ...saved, ...(await toFilterSet(client, options)) };
  return {
    ...filters,
    values: values && JSON.stringify(values),
    scheduledDate,
    updatedAfter,
  };
}

function statuses(text: string, before: readonly RunStatus[] = []): RunStatus[] {
  const given = list(text).map(oneOf(runStatuses));
  if (given.length > 0) return [...new Set([...before, ...given])];
  throw new InvalidArgumentError(`It must be one of ${runStatuses.join(', ')}.`);
}
