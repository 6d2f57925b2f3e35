import type { CommandOf, StoredComment } from '../commands.ts';
import { reject, type CommandResult } from '../decision.ts';
import type { CommentContent } from '../facts.ts';
import type { RunState } from '../state.ts';
import type { Clock } from '../time.ts';

/** Comments on a run or one of its tasks, in every status of both. */
export function addComment(
  run: RunState,
  { commentId, runTaskId, text, userIds, groupIds }: CommandOf<'addComment'>,
  { now }: Clock,
): CommandResult {
  const isKnown = runTaskId === null || run.tasks.some(({ id }) => id === runTaskId);
  if (!isKnown) return reject('validation_failed', `The run has no task ${runTaskId}; use the id of one of its tasks.`);
  return { facts: [{ type: 'comment.created', at: now, commentId, runTaskId, text, userIds, groupIds }] };
}

/** Changes a comment of the acting member. */
export function editComment(
  { comment, userId, text, userIds, groupIds }: CommandOf<'editComment'>,
  { now }: Clock,
): CommandResult {
  if (comment.authorUserId !== userId) return notOwn('edit', 'ask its author to edit it');
  if (isSame(comment, { text, userIds, groupIds })) return { facts: [] };
  return { facts: [{ type: 'comment.edited', at: now, ...placeOf(comment), text, userIds, groupIds }] };
}

/** Deletes a comment of the acting member, or of anyone if the member moderates. */
export function deleteComment(
  { comment, userId, moderates }: CommandOf<'deleteComment'>,
  { now }: Clock,
): CommandResult {
  if (!moderates && comment.authorUserId !== userId) return notOwn('delete', 'ask its author, an owner or an admin');
  return { facts: [{ type: 'comment.deleted', at: now, ...placeOf(comment) }] };
}

function placeOf({ id: commentId, runTaskId }: StoredComment) {
  return { commentId, runTaskId };
}

function isSame(one: CommentContent, other: CommentContent): boolean {
  const contentOf = ({ text, userIds, groupIds }: CommentContent) => JSON.stringify([text, userIds, groupIds]);
  return contentOf(one) === contentOf(other);
}

function notOwn(what: 'edit' | 'delete', remedy: string): CommandResult {
  return reject('not_own_record', `You can only ${what} your own comments; ${remedy}.`);
}
