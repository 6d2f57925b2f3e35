import type { FieldValue } from '@runward/contract';
import type { FactOf } from './facts.ts';
import type { ApprovalState, EntryState, TaskState } from './state.ts';

type ApprovalFact = FactOf<'approval.requested' | 'approval.granted' | 'approval.rejected' | 'approval.invalidated'>;

/** The approval of a task after one more fact. */
export function approvalAfter(approval: ApprovalState | null, fact: ApprovalFact): ApprovalState | null {
  switch (fact.type) {
    case 'approval.requested': {
      const { entryId, at: requestedAt } = fact;
      return { status: 'REQUESTED', entryId, requestedAt, decidedAt: null, isOutdated: false, decisions: [] };
    }
    case 'approval.granted':
    case 'approval.rejected': {
      if (!approval) return null;
      const { userId, comment, at } = fact;
      const isGrant = fact.type === 'approval.granted';
      const decision = isGrant ? 'GRANTED' : 'REJECTED';
      const decisions = [
        ...approval.decisions,
        { userId, groupIds: isGrant ? fact.groupIds : [], decision, comment, at } as const,
      ];
      if (isGrant && !fact.isComplete) return { ...approval, decisions };
      return { ...approval, status: decision, decidedAt: at, decisions };
    }
    case 'approval.invalidated':
      return null;
  }
}

/** Sets the approval of a task and derives its status: COMPLETED and BLOCKED take precedence over PENDING_APPROVAL. */
export function withApproval(task: TaskState, approval: ApprovalState | null): TaskState {
  const isWaiting = task.status === 'COMPLETED' || task.status === 'BLOCKED';
  return { ...task, approval, status: isWaiting ? task.status : unblockedStatus({ approval }) };
}

/**
 * Changes values of a task, by field, and invalidates decisions about the old values. This includes completed tasks,
 * because they may be reopened.
 */
export function withOutdated(task: TaskState, entryId: string, next: Readonly<Record<string, FieldValue>>): TaskState {
  const { approval, entries } = task;
  if (!approval || approval.decisions.length === 0 || approval.entryId !== entryId) return task;
  const values = entries.find(({ id }) => id === entryId)?.values ?? [];
  const isSame = ([fieldId, value]: [string, FieldValue]) =>
    JSON.stringify(values.find((known) => known.fieldId === fieldId)?.value ?? null) === JSON.stringify(value);
  return Object.entries(next).every(isSame) ? task : { ...task, approval: { ...approval, isOutdated: true } };
}

/** A task with the values that its entries have in another version. */
export function withMigratedValues(task: TaskState, entries: readonly EntryState[]): TaskState {
  const entryId = task.approval?.entryId ?? '';
  const valuesIn = (list: readonly EntryState[]) => list.find(({ id }) => id === entryId)?.values ?? [];
  const fields = [...valuesIn(task.entries), ...valuesIn(entries)].map(({ fieldId }) => fieldId);
  const next = valuesIn(entries);
  const valueOf = (id: string) => next.find(({ fieldId }) => fieldId === id)?.value ?? null;
  return { ...withOutdated(task, entryId, Object.fromEntries(fields.map((id) => [id, valueOf(id)]))), entries };
}

/** The status of a task that is neither completed nor blocked. */
export function unblockedStatus({ approval }: Pick<TaskState, 'approval'>): 'PENDING' | 'PENDING_APPROVAL' {
  return approval?.status === 'REQUESTED' ? 'PENDING_APPROVAL' : 'PENDING';
}
