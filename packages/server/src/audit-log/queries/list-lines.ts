import type { Contract, Query, Total } from '@runward/contract';
import type { Kysely } from 'kysely';
import { cancellable } from '../../database/cancellable.ts';
import type { Em } from '../../database/database.ts';
import { countUpTo } from '../../database/expressions.ts';
import { readWithin, type Fitting, type PageSize } from '../../database/read-within.ts';
import type { Tables } from '../../database/tables.ts';
import { totalWithin, type CountLimit } from '../../paging.ts';

/** Which lines of the audit log are wanted. */
export type AuditFilter = Query<Contract['auditLog']['export']>;

/** A line of the audit log. `at` is in PostgreSQL's text format. */
export type AuditRow = Awaited<ReturnType<typeof readBatch>>[number];

/** The lines before a sequence that fit on a page, newest first, and the number of all lines that match the filter. */
export async function listLines(
  em: Em,
  organizationId: string,
  filter: AuditFilter,
  { before, most, ...size }: PageSize & { readonly before: number | undefined; readonly most?: CountLimit },
): Promise<Fitting<AuditRow> & { readonly total: Total }> {
  const db = em.getKysely();
  const all = matching(db, organizationId, filter);
  const { total } = await db.selectNoFrom(countUpTo(all, most).as('total')).executeTakeFirstOrThrow();
  const rest = before === undefined ? all : all.where('line.sequence', '<', before);
  const query = rest
    .select(columns)
    .orderBy('line.sequence', 'desc')
    .limit(size.limit + 1);
  return { ...(await readWithin(em, query, size)), total: totalWithin(most, total) };
}

/** A line can have the ids of 2,000 templates. */
const batchSize = 50;

/**
 * The lines that match a filter, oldest first, in batches. No connection is held between two batches. The signal
 * cancels the query in progress.
 */
export async function* readLines(
  em: Em,
  organizationId: string,
  filter: AuditFilter,
  signal: AbortSignal,
): AsyncGenerator<readonly AuditRow[]> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const from: number = after;
    const rows = await cancellable(em, signal, (db) => readBatch(db, organizationId, filter, from));
    yield rows;
    after = rows.length < batchSize ? undefined : rows.at(-1)?.sequence;
  }
}

/** Some lines after a sequence, oldest first. Empty if there are none. */
export async function nextLines(em: Em, organizationId: string, after: number): Promise<readonly AuditRow[]> {
  return readBatch(em.getKysely(), organizationId, {}, after);
}

function readBatch(db: Kysely<Tables>, organizationId: string, filter: AuditFilter, after: number) {
  return matching(db, organizationId, filter)
    .where('line.sequence', '>', after)
    .select(columns)
    .orderBy('line.sequence')
    .limit(batchSize)
    .execute();
}

const columns = [
  'line.sequence',
  'line.at',
  'line.action',
  'line.actor_type as actorType',
  'line.actor_user_id as actorUserId',
  'line.actor_api_key_id as actorApiKeyId',
  'line.address',
  'line.target_type as targetType',
  'line.target_id as targetId',
  'line.target_label as targetLabel',
  'line.before',
  'line.after',
  'line.previous_hash as previousHash',
  'line.hash',
] as const;

function matching(db: Kysely<Tables>, organizationId: string, { action, actorId, targetId, from, to }: AuditFilter) {
  let query = db.selectFrom('audit_lines as line').where('line.organization_id', '=', organizationId);
  if (action !== undefined) query = query.where('line.action', '=', action);
  if (targetId !== undefined) query = query.where('line.target_id', '=', targetId);
  if (from !== undefined) query = query.where('line.at', '>=', from);
  if (to !== undefined) query = query.where('line.at', '<', to);
  if (actorId === undefined) return query;
  // A member is not the actor of what the keys do that they made.
  return query.where((eb) =>
    eb.or([
      eb('line.actor_api_key_id', '=', actorId),
      eb.and([eb('line.actor_user_id', '=', actorId), eb('line.actor_type', '=', 'USER')]),
    ]),
  );
}
