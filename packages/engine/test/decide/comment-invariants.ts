import assert from 'node:assert/strict';
import { isActive, isRetired, type Fact, type RunState } from '@runward/engine';
import type { Decided } from '../support/invariants.ts';

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
