import assert from 'node:assert/strict';
import { isActive, isRetired, type Command, type Fact, type RunState } from '@runward/engine';
import type { Step } from '../support/arbitraries.ts';
import type { Decided } from '../support/invariants.ts';

/** A command on comments. What is edited was written by the same member or by Grace, and what is deleted by Ada. */
export function commentCommand(
  type: 'addComment' | 'editComment' | 'deleteComment',
  { pick, flag, key, user: userId, groupIds }: Step,
  runTaskId: string,
  newId: string,
): Command {
  const content = { text: `Comment ${pick % 2}`, userIds: [userId], groupIds };
  if (type === 'addComment') {
    return { type, commentId: `comment-${newId}`, runTaskId: flag ? runTaskId : null, ...content };
  }
  const stored = { ...content, text: 'Comment 0', id: 'comment', runTaskId };
  if (type === 'deleteComment') return { type, comment: { ...stored, authorUserId: 'ada' }, userId, moderates: flag };
  return { type, comment: { ...stored, authorUserId: key === null ? userId : 'grace' }, userId, ...content };
}

/** What may follow a comment: deadlines that passed since the last command are recorded, as after every command. */
const ofTime = new Set(['task.due_soon', 'task.overdue', 'run.overdue', 'run.on_time']);

/** Throws if a comment has changed anything of its run. */
export function commentsChangeNothing({ before, command }: Decided, facts: readonly Fact[], state: RunState): void {
  if (!command.type.endsWith('Comment')) return;
  const others = facts.filter(({ type }) => !type.startsWith('comment.'));
  assert(facts.length - others.length <= 1, 'a command has led to several comments');
  assert(
    others.every(({ type }) => ofTime.has(type)),
    'a comment has changed its run',
  );
  if (others.length === 0) assert.equal(state, before);
}

/** What was commented on, by name. */
export function commentCases({ before }: Decided, facts: readonly Fact[]): string[] {
  return facts.flatMap((fact) => {
    if (fact.type !== 'comment.created') return [];
    const task = before.tasks.find(({ id }) => id === fact.runTaskId);
    return [
      ...(isActive(before) ? [] : ['on a run that has ended']),
      ...(task?.hidden ? ['on a hidden task'] : []),
      ...(task?.status === 'BLOCKED' ? ['on a blocked task'] : []),
      ...(task && isRetired(task) ? ['on a retired task'] : []),
    ];
  });
}
