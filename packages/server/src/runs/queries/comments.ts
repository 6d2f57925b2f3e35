import type { StoredComment } from '@runward/engine';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';
import { instant, instantOrNull } from '../../database/instant.ts';
import { readWithin, type Fitting, type PageSize } from '../../database/read-within.ts';
import type { RunComment } from '../entities/run-comment.ts';

/** A comment that is not deleted. */
export interface CommentRow extends StoredComment, Pick<RunComment, 'runId' | 'actorType'> {
  readonly apiKeyId: string | null;
  readonly createdAt: string;
  readonly editedAt: string | null;
}

/** Comments on a run, or only those on one of its tasks. */
interface CommentPlace {
  readonly runId: string;
  readonly runTaskId?: string;
}

/** A page of comments before or after an id. */
interface CommentPage extends PageSize {
  readonly beyond: string | undefined;
  readonly isNewestFirst: boolean;
}

/** A page of comments that are not deleted, and the number of all of them. */
export async function listComments(
  em: Em,
  organizationId: string,
  place: CommentPlace,
  { beyond, isNewestFirst, ...size }: CommentPage,
): Promise<Fitting<CommentRow> & { readonly total: number }> {
  const total = await countComments(em, organizationId, place);
  const all = selectComments(em, organizationId, place);
  const rest = beyond === undefined ? all : all.where('id', isNewestFirst ? '<' : '>', beyond);
  const query = rest.orderBy('id', isNewestFirst ? 'desc' : 'asc').limit(size.limit + 1);
  const { rows, limit } = await readWithin(em, query, size);
  return { total, limit, rows: rows.map(commentRow) };
}

/** The number of comments that are not deleted. */
export async function countComments(em: Em, organizationId: string, place: CommentPlace): Promise<number> {
  const { total } = await commentsOf(em, organizationId, place).select(countAs('total')).executeTakeFirstOrThrow();
  return total;
}

/** A comment of the organization that is not deleted, or null. */
export async function findComment(em: Em, organizationId: string, id: string): Promise<CommentRow | null> {
  const row = await selectComments(em, organizationId, {}).where('id', '=', id).executeTakeFirst();
  return row ? commentRow(row) : null;
}

function selectComments(em: Em, organizationId: string, place: Partial<CommentPlace>) {
  return commentsOf(em, organizationId, place).select([
    'id',
    'run_id as runId',
    'run_task_id as runTaskId',
    'actor_type as actorType',
    'actor_user_id as authorUserId',
    'actor_api_key_id as apiKeyId',
    'text',
    'user_ids as userIds',
    'group_ids as groupIds',
    'created_at as createdAt',
    'edited_at as editedAt',
  ]);
}

function commentsOf(em: Em, organizationId: string, { runId, runTaskId }: Partial<CommentPlace>) {
  return em
    .getKysely()
    .selectFrom('run_comments')
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .$if(runId !== undefined, (query) => query.where('run_id', '=', runId ?? ''))
    .$if(runTaskId !== undefined, (query) => query.where('run_task_id', '=', runTaskId ?? ''));
}

function commentRow<Row extends { readonly createdAt: string; readonly editedAt: string | null }>(row: Row): Row {
  return { ...row, createdAt: instant(row.createdAt), editedAt: instantOrNull(row.editedAt) };
}
