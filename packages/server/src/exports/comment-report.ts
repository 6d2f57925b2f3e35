import type { Display } from '@runward/engine';
import type { RequestContext } from '../access/request-context.ts';
import { listComments, type CommentRow } from '../runs/queries/comments.ts';
import type { Named } from './describe-fact.ts';
import { printed } from './printed.ts';

/** More would take too long to lay out. */
const most = { limit: 500, bytes: 5_000_000 } as const;

/** The comments of a report, oldest first, and how many there are in all. */
interface ReportedComments {
  readonly comments: readonly CommentRow[];
  readonly total: number;
}

/** The newest comments on a run and its tasks. */
export async function readNewestComments(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  runId: string,
): Promise<ReportedComments> {
  const wanted = { ...most, beyond: undefined, isNewestFirst: true };
  const { rows, limit, total } = await listComments(em, actor.organizationId, { runId }, wanted);
  return { comments: rows.slice(0, limit).toReversed(), total };
}

/** Comments in the report of a run: who wrote each, when and on what, and its text. Asks for the name of each id. */
export function commentReport(
  { comments, total }: ReportedComments,
  nameOf: (author: { readonly actorType: CommentRow['actorType']; readonly actorUserId: string | null }) => string,
  { taskOf }: Named,
  display: Display,
) {
  return {
    intro: comments.length < total ? `The newest ${comments.length} of ${total} comments, oldest first.` : null,
    items: comments.map(({ actorType, authorUserId: actorUserId, createdAt, editedAt, runTaskId, text }) => {
      const task = runTaskId === null ? '' : ` · on ${taskOf(runTaskId)}`;
      const edited = editedAt === null ? '' : ` · edited ${display.dateTime(editedAt)}`;
      const author = nameOf({ actorType, actorUserId });
      return { heading: printed(`${author}, ${display.dateTime(createdAt)}${task}${edited}`), text: printed(text) };
    }),
  };
}
