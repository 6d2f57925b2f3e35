import {
  isAdministrator,
  maximumComments,
  type Body,
  type Contract,
  type Parts,
  type Query,
  type Response,
} from '@runward/contract';
import { atomic, type Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, found } from '../api-error.ts';
import type { Em } from '../database/database.ts';
import { newId } from '../ids.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { changeRun } from './change/change-run.ts';
import { ensureMentioned } from './change/ensure-mentioned.ts';
import { countComments, findComment, listComments, type CommentRow } from './queries/comments.ts';
import { findRun } from './read/find-run.ts';
import { findTask } from './read/find-task.ts';

type Comments = Contract['runs.comments'];
type Target = { readonly runId: string } | { readonly runTaskId: string };

/** Comments on runs. */
export const runComments: Handlers<Parts['runComments']> = {
  list: async ({ params: { id }, query, ...context }) => {
    const { state } = await findRun(context, id);
    return page(context, { runId: state.id }, query);
  },

  create: atomic(async ({ params: { id: runId }, body, ...context }) => add(context, { runId }, body)),

  get: async ({ params: { commentId }, ...context }) => {
    const comment = await find(context.em, context, commentId);
    const target = targetOf(context, comment);
    await ('runId' in target ? findRun(context, target.runId) : findTask(context, target.runTaskId));
    return present(comment);
  },

  update: atomic(async ({ params: { commentId }, body, ...context }) => {
    const { userId, organizationId } = context.actor;
    const target = targetOf(context, await find(context.em, context, commentId));
    await changeRun(context, target, async (_, em) => {
      // The comment is read after the run. Every change of a comment gives its run another version, so if this comment
      // changes before the decision is saved, nothing is saved.
      const comment = await find(em, context, commentId);
      if (body.mentions) await ensureMentioned(em, organizationId, body.mentions);
      const { text = comment.text, mentions: { userIds, groupIds } = comment } = body;
      return { type: 'editComment', comment, userId, text, userIds, groupIds };
    });
    return present(await find(context.em, context, commentId));
  }),

  delete: atomic(async ({ params: { commentId }, ...context }) => {
    const { type, role, userId } = context.actor;
    const moderates = type === 'USER' && isAdministrator(role);
    const target = targetOf(context, await find(context.em, context, commentId));
    await changeRun(context, target, async (_, em) => {
      const comment = await find(em, context, commentId);
      return { type: 'deleteComment', comment, userId, moderates };
    });
  }),
};

/** Comments on tasks. */
export const taskComments: Handlers<Parts['taskComments']> = {
  comments: async ({ params: { taskId: runTaskId }, query, ...context }) => {
    const { run } = await findTask(context, runTaskId);
    return page(context, { runId: run.state.id, runTaskId }, query);
  },

  comment: atomic(async ({ params: { taskId: runTaskId }, body, ...context }) => add(context, { runTaskId }, body)),
};

/**
 * What identifies the run of a comment to the caller. Who only has the tasks that are theirs needs the task. For others
 * it is the run, because a task can have been removed since.
 */
function targetOf({ actor }: Pick<RequestContext, 'actor'>, { runId, runTaskId }: CommentRow): Target {
  return actor.resourceScope.mode === 'ASSIGNED' && runTaskId !== null ? { runTaskId } : { runId };
}

async function add(
  context: RequestContext,
  target: Target,
  { text, mentions = { userIds: [], groupIds: [] } }: Body<Comments['create']>,
): Promise<Response<Comments['create']>> {
  const { organizationId } = context.actor;
  const commentId = newId();
  await changeRun(context, target, async ({ state }, em) => {
    await ensureRoom(em, organizationId, state.id);
    await ensureMentioned(em, organizationId, mentions);
    const runTaskId = 'runTaskId' in target ? target.runTaskId : null;
    return { type: 'addComment', commentId, runTaskId, text, ...mentions };
  });
  return present(await find(context.em, context, commentId));
}

async function ensureRoom(em: Em, organizationId: string, runId: string): Promise<void> {
  if ((await countComments(em, organizationId, { runId })) < maximumComments) return;
  const most = maximumComments.toLocaleString('en');
  throw badRequest(
    'limit_reached',
    `The run has ${most} comments, which is the most; delete some, or comment on another run.`,
  );
}

async function find(em: Em, { actor }: Pick<RequestContext, 'actor'>, commentId: string): Promise<CommentRow> {
  return found(await findComment(em, actor.organizationId, commentId), 'Comment');
}

async function page(
  { em, actor, ports }: RequestContext,
  place: { readonly runId: string; readonly runTaskId?: string },
  { limit, cursor, sort }: Query<Comments['list']>,
): Promise<Response<Comments['list']>> {
  const beyond = cursor === undefined ? undefined : decodeCursor(cursor, 'id')[0];
  const wanted = { limit, bytes: ports.limits.pageBytes, beyond, isNewestFirst: sort === '-createdAt' };
  return pageOf(await listComments(em, actor.organizationId, place, wanted), present, ({ id }) => [id]);
}

function present(comment: CommentRow): Response<Comments['get']> {
  const { id, runId, runTaskId, text, userIds, groupIds, createdAt, editedAt } = comment;
  const author = { type: comment.actorType, userId: comment.authorUserId, apiKeyId: comment.apiKeyId };
  const mentions = { userIds: [...userIds], groupIds: [...groupIds] };
  return { id, runId, runTaskId, text, author, mentions, createdAt, editedAt };
}
