import assert from 'node:assert/strict';
import { isActive, isFilled, type EntryState, type Fact, type RunState, type TaskState } from '@runward/engine';
import { completionsAreApproved } from './approval-model.ts';
import type { Decided } from './invariants.ts';
import { documentOf } from './versions.ts';

/** Throws if an approval is missing, superfluous or bypassed. */
export function checkApprovals(
  { before, command, versions, facts: all }: Decided,
  facts: readonly Fact[],
  state: RunState,
): void {
  for (const task of state.tasks) {
    const { definition, status, approval } = task;
    if (status !== 'COMPLETED' && status !== 'BLOCKED') {
      assert.equal(status === 'PENDING_APPROVAL', approval?.status === 'REQUESTED', 'a status without its approval');
    }
    if (facts.some((fact) => 'runTaskId' in fact && fact.runTaskId === task.id)) {
      const approvalIn = (versionId: string) =>
        documentOf(versions, versionId).tasks.find(({ id }) => id === definition.id)?.approval ?? null;
      completionsAreApproved(approvalIn, task.id, all);
    }
    // A migration does not change completed tasks.
    if (status === 'COMPLETED' && all.some(({ type }) => type === 'run.migrated')) continue;
    if (!definition.approval) {
      assert.equal(approval, null, 'a task without an approval has one');
      continue;
    }
    if (status === 'COMPLETED') assert.equal(approval?.status, 'GRANTED', 'a completed task is not approved');
    else if (!task.hidden && isActive(state)) isRequestedInTime(task);
  }
  if (command.type !== 'grantApproval' && command.type !== 'rejectApproval') return;
  const task = before.tasks.find(({ id }) => id === command.runTaskId);
  const entry = task?.entries.find(({ id }) => id === task.approval?.entryId);
  assert(task?.definition.approval && entry, 'an approval was decided that does not exist');
  const { approverIds, approverGroupIds, allowSelfApproval } = task.definition.approval;
  const named = [...approverIds, ...approverGroupIds];
  const { userId, groupIds } = command;
  assert(named.length === 0 || [userId, ...groupIds].some((id) => named.includes(id)), 'somebody else decided');
  assert(
    task.approval?.decisions.every((one) => one.userId !== userId),
    'a member decided twice',
  );
  const workers = [entry.createdByUserId, ...entry.values.map(({ submittedByUserId }) => submittedByUserId)];
  assert(allowSelfApproval || !workers.includes(userId), 'a member approved their own work');
}

/** The approval is requested exactly while the open entry has every required value and nobody has decided. */
function isRequestedInTime(task: TaskState): void {
  const { approval, entries } = task;
  const open = entries.find(({ status }) => status === 'OPEN');
  if (open && isComplete(task, open))
    assert.equal(approval?.entryId, open.id, 'a complete entry is not to be approved');
  if (approval?.status !== 'REQUESTED') return;
  assert(open?.id === approval.entryId && isComplete(task, open), 'an entry is to be approved that is not complete');
}

function isComplete({ definition, hiddenFieldIds }: TaskState, { values }: EntryState): boolean {
  const filled = new Set(values.filter(({ value }) => isFilled(value)).map(({ fieldId }) => fieldId));
  return definition.fields.every(({ id, required }) => !required || hiddenFieldIds.includes(id) || filled.has(id));
}

/** The cases of approvals that the facts of a command cover. */
export function approvalCases(before: RunState, facts: readonly Fact[]): string[] {
  return facts.flatMap((fact) => {
    const task = 'runTaskId' in fact ? before.tasks.find(({ id }) => id === fact.runTaskId) : undefined;
    if (!task?.definition.approval) return [];
    if (fact.type === 'approval.requested' && task.approval?.status === 'REJECTED')
      return 'asked again after a rejection';
    if (fact.type === 'approval.granted' && !fact.isComplete) return 'granted by one of several';
    return fact.type === 'task.completed' ? 'completed with an approval' : [];
  });
}
