import type { FactOf, RunState } from '@runward/engine';
import type { Author } from '../access/actor.ts';
import type { Named } from './queries/read-named.ts';

/** The data of `comment.created`. The task is the one of the run as it is now; null for a comment on the run. */
export function commentDataOf(
  run: RunState,
  { runTaskId, commentId, text, userIds, groupIds }: FactOf<'comment.created'>,
  { userId }: Pick<Author, 'userId'>,
  named: Named,
): object {
  const task = run.tasks.find(({ id }) => id === runTaskId)?.definition;
  return {
    runId: run.id,
    templateId: run.templateId,
    runTaskId,
    taskId: task?.id ?? null,
    runTitle: run.title,
    runPublicId: run.publicId,
    actorUserId: userId,
    taskTitle: task?.title ?? null,
    commentId,
    text,
    author: named.member(userId),
    mentions: {
      users: userIds.flatMap((id) => named.member(id) ?? []),
      groups: groupIds.flatMap((id) => named.group(id) ?? []),
    },
  };
}
