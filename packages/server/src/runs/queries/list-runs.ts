import { runStatuses, type Contract, type Response, type Total } from '@runward/contract';
import { sql, type Kysely, type RawBuilder, type Selection } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Actor } from '../../access/actor.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Em } from '../../database/database.ts';
import { countAs, countUpTo, rowLimit } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';
import { totalWithin, type CountLimit } from '../../paging.ts';
import { matchingRuns } from './matching-runs.ts';
import type { RunFilter, RunScope } from './run-conditions.ts';
import { areCounted, countersOf, sumOfCounters } from './run-counters.ts';
import { inOrder, type RunKey, type RunOrder } from './run-order.ts';

type RunCounts = Response<Contract['runs']['counts']>;

/** The columns of a list of runs (alias `run`). */
export const runListColumns = [
  'run.id',
  'run.public_id as publicId',
  'run.title',
  'run.status',
  'run.template_id as templateId',
  'run.owner_user_id as ownerUserId',
  'run.scheduled_date_local as scheduledDateLocal',
  'run.created_at as createdAt',
  'run.completed_at as completedAt',
  'run.cancelled_at as cancelledAt',
  'run.archived_at as archivedAt',
  'run.updated_at as updatedAt',
] as const;

/** A run in a list. Instants are in PostgreSQL's text format. */
export type RunListRow = Selection<Tables & { run: Tables['runs'] }, 'run', (typeof runListColumns)[number]>;

/** The part of a list to read: up to `limit` + 1 runs in an order, after a key. */
interface Part {
  readonly limit: number;
  readonly order: RunOrder;
  readonly after: RunKey | undefined;
  readonly most: CountLimit;
}

/** A page of runs, and the number of all matching runs, counted as far as the caller asks for. */
interface RunList {
  readonly rows: RunListRow[];
  readonly total: number;
}

/**
 * Runs in the caller's resource scope that match a filter, and their total number. Both come from one statement, so
 * that they are of the same moment.
 */
export async function listRuns(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  filter: RunFilter,
  part: Part,
): Promise<{ readonly rows: RunListRow[]; readonly total: Total }> {
  const [list] = isPlain(actor, filter, part)
    ? await newestRunsOf(em, part.limit)(em, { organizationId: actor.organizationId })
    : await runList(em.getKysely(), actor, filter, part).execute();
  if (!list) throw new Error('The statement of a list returned no row.');
  return { rows: list.rows, total: totalWithin(part.most, list.total, { isKnown: areCounted(filter) }) };
}

function runList(db: Kysely<Tables>, actor: RunScope, filter: RunFilter, part: Part) {
  const { limit, order, after } = part;
  const page = inOrder(matchingRuns(db, actor, filter, order), order, after)
    .select(runListColumns)
    .limit(isNarrowed(actor, filter) ? limit + 1 : rowLimit(limit + 1));
  return db
    .with('page', () => page)
    .selectNoFrom((eb) => [
      totalOf(db, actor, filter, part).as('total'),
      jsonArrayFrom(eb.selectFrom('page').selectAll()).as('rows'),
    ]);
}

/** Whether a list is the most requested one: the first page of all runs that are not archived, newest first. */
function isPlain(actor: RunScope, filter: RunFilter, { order, after }: Part): boolean {
  const { property, isDescending } = order;
  const isNewestFirst = property === 'createdAt' && isDescending && after === undefined;
  return isNewestFirst && !filter.archived && !isNarrowed(actor, filter);
}

const newestFirst: RunOrder = { property: 'createdAt', isDescending: true };

/** The queries of the first page of all runs, by the size of the page. */
const newestRuns = () => new Map<number, ReturnType<typeof compileNewestRuns>>();

function newestRunsOf(em: Em, limit: number) {
  const queries = em.shared(newestRuns);
  const query = queries.get(limit) ?? compileNewestRuns(limit);
  queries.set(limit, query);
  return query;
}

function compileNewestRuns(limit: number) {
  return compiledQuery<{ organizationId: string }, RunList>(['organizationId'], (db, { organizationId }) => {
    const actor: RunScope = { organizationId, timeZone: 'UTC', resourceScope: { mode: 'ALL' } };
    return runList(db, actor, {}, { limit, order: newestFirst, after: undefined, most: undefined });
  });
}

/**
 * The number of runs, for a statement with the query `page`. Runs are counted only if neither the counters nor the page
 * contain the number.
 */
function totalOf(
  db: Kysely<Tables>,
  actor: RunScope,
  filter: RunFilter,
  { limit, after, most }: Part,
): RawBuilder<number> {
  if (areCounted(filter)) return sql`${countersOf(db, actor, filter).select(sumOfCounters.as('total'))}`;
  const counted = countUpTo(matchingRuns(db, actor, filter), most);
  if (after !== undefined) return counted;
  const inPage = sql`(select count(*) from page)`;
  return sql`case when ${inPage} <= ${limit} then ${inPage} else ${counted} end`;
}

/** The number of runs by status, in the caller's resource scope and matching a filter. */
export async function countRuns(em: Em, actor: Actor, filter: RunFilter): Promise<RunCounts> {
  const db = em.getKysely();
  const query = areCounted(filter)
    ? countersOf(db, actor, filter).select(['run.status', sumOfCounters.as('count')])
    : matchingRuns(db, actor, filter).select(['run.status', countAs('count')]);
  const rows = await query.groupBy('run.status').execute();
  const counts = new Map(rows.map(({ status, count }) => [status, count]));
  const [RUNNING = 0, OVERDUE = 0, COMPLETED = 0, CANCELLED = 0] = runStatuses.map((status) => counts.get(status));
  return { RUNNING, OVERDUE, COMPLETED, CANCELLED, total: RUNNING + OVERDUE + COMPLETED + CANCELLED };
}

/**
 * Whether the best way to find runs depends on a filter's values, or on templates and folders in the resource scope.
 */
function isNarrowed({ resourceScope }: RunScope, { archived: _, ...others }: RunFilter): boolean {
  return resourceScope.mode !== 'ALL' || Object.values(others).some((value) => value !== undefined);
}
