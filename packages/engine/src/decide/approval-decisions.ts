import type { CommandOf } from '../commands.ts';
import { reject, type CommandResult } from '../decision.ts';
import type { ApprovalDefinition } from '../process.ts';
import type { ApprovalDecision, ApprovalState, EntryState, RunState, TaskState } from '../state.ts';
import type { Clock } from '../time.ts';
import { changeTask } from './change-task.ts';

/** Approves the entry of a task. Under the policy ALL, the last approval that is missing grants it. */
export function grantApproval(run: RunState, command: CommandOf<'grantApproval'>, { now }: Clock): CommandResult {
  return decideApproval(run, command, ({ task, definition, approval, groupIds }) => {
    const { userId, comment } = command;
    const { id: runTaskId } = task;
    const granted: ApprovalDecision = { userId, groupIds, decision: 'GRANTED', comment, at: now };
    const isComplete = hasAgreed(definition, [...approval.decisions, granted]);
    const { entryId } = approval;
    return {
      facts: [{ type: 'approval.granted', at: now, runTaskId, entryId, userId, groupIds, comment, isComplete }],
    };
  });
}

/** Rejects the entry of a task, also if others have approved it. */
export function rejectApproval(run: RunState, command: CommandOf<'rejectApproval'>, { now }: Clock): CommandResult {
  return decideApproval(run, command, ({ task: { id: runTaskId }, approval: { entryId } }) => {
    const { userId, comment } = command;
    return { facts: [{ type: 'approval.rejected', at: now, runTaskId, entryId, userId, comment }] };
  });
}

/** Rejects completing a task whose approval is not granted, or setting it to PENDING before then. */
export function approvalMissing({ definition: { title, approval }, ...task }: TaskState): CommandResult {
  const { status, decisions = [] } = task.approval ?? {};
  if (status === 'REQUESTED') {
    const { userIds, groupIds } = approval ? missingApprovers(approval, decisions) : { userIds: [], groupIds: [] };
    const missing = [...userIds.map((id) => `user ${id}`), ...groupIds.map((id) => `group ${id}`)];
    const isAny = approval?.policy !== 'ALL' || missing.length === 0;
    const whose = isAny ? 'its approval' : `the approval of ${missing.join(', ')}`;
    return reject(
      'approval_pending',
      `The task "${title}" is waiting for ${whose}; have it approved or rejected first.`,
    );
  }
  const remedy =
    status === 'REJECTED'
      ? 'its approval was rejected; submit corrected values, which requests it again'
      : 'it needs an approval; open an entry and submit every required value, which requests it';
  return reject('approval_missing', `The task "${title}" cannot be completed, because ${remedy}.`);
}

/** An approval to decide on. `groupIds` are those approver groups that the deciding member belongs to. */
interface Decided {
  readonly task: TaskState;
  readonly definition: ApprovalDefinition;
  readonly approval: ApprovalState;
  readonly groupIds: readonly string[];
}

function decideApproval(
  run: RunState,
  { runTaskId, userId, groupIds }: CommandOf<'grantApproval' | 'rejectApproval'>,
  decide: (decided: Decided) => CommandResult,
): CommandResult {
  return changeTask(run, runTaskId, (task) => {
    const { approval, entries } = task;
    const { title, approval: definition } = task.definition;
    if (!definition) return reject('approval_not_pending', `The task "${title}" needs no approval; complete it.`);
    const ownGroups = definition.approverGroupIds.filter((id) => groupIds.includes(id));
    if (!isApprover(definition, userId, ownGroups)) {
      return reject('not_an_approver', `You are not an approver of the task "${title}"; ask one of its approvers.`);
    }
    if (approval?.status !== 'REQUESTED') {
      return reject(
        'approval_not_pending',
        `The approval of the task "${title}" is ${approval?.status ?? 'NOT_REQUESTED'}; there is nothing to decide.`,
      );
    }
    const entry = entries.find(({ id }) => id === approval.entryId);
    if (!definition.allowSelfApproval && entry && worksOf(entry).has(userId)) {
      return reject('own_work', `You filled in the form of the task "${title}"; somebody else has to decide on it.`);
    }
    if (approval.decisions.some((decision) => decision.userId === userId)) {
      return reject(
        'approval_already_decided',
        `You have approved the task "${title}" already; the other approvers still have to decide.`,
      );
    }
    return decide({ task, definition, approval, groupIds: ownGroups });
  });
}

function isApprover(
  { approverIds, approverGroupIds }: ApprovalDefinition,
  userId: string,
  ownGroups: readonly string[],
) {
  return approverIds.length + approverGroupIds.length === 0 || approverIds.includes(userId) || ownGroups.length > 0;
}

/** Who has yet to decide on the approval of a task. */
export interface AwaitedApprovers {
  readonly userIds: readonly string[];
  readonly groupIds: readonly string[];
  /** Whether nobody is named, so that anyone may decide. */
  readonly isAnyone: boolean;
  /** Members who cannot decide, not even for a group: they filled in the form or have decided already. */
  readonly excludedUserIds: readonly string[];
}

/** Who has yet to decide on a task; null if it does not wait for an approval. */
export function awaitedApprovers({ definition, approval, entries }: TaskState): AwaitedApprovers | null {
  if (!definition.approval || approval?.status !== 'REQUESTED') return null;
  const { approverIds, approverGroupIds, allowSelfApproval } = definition.approval;
  const { userIds, groupIds } = missingApprovers(definition.approval, approval.decisions);
  const entry = allowSelfApproval ? undefined : entries.find(({ id }) => id === approval.entryId);
  const excluded = new Set([...(entry ? worksOf(entry) : []), ...approval.decisions.map(({ userId }) => userId)]);
  return {
    userIds: userIds.filter((id) => !excluded.has(id)),
    groupIds,
    isAnyone: approverIds.length + approverGroupIds.length === 0,
    excludedUserIds: [...excluded],
  };
}

/** The members who opened an entry or submitted one of its values. */
export function worksOf({ createdByUserId, values }: EntryState): ReadonlySet<string> {
  return new Set([createdByUserId, ...values.map(({ submittedByUserId }) => submittedByUserId)]);
}

function hasAgreed(definition: ApprovalDefinition, decisions: readonly ApprovalDecision[]): boolean {
  const { userIds, groupIds } = missingApprovers(definition, decisions);
  return definition.policy === 'ANY' || userIds.length + groupIds.length === 0;
}

/** The named members and groups that have not approved yet. Under the policy ANY, one approval is enough. */
export function missingApprovers(
  { approverIds, approverGroupIds }: ApprovalDefinition,
  decisions: readonly ApprovalDecision[],
): { readonly userIds: readonly string[]; readonly groupIds: readonly string[] } {
  return {
    userIds: approverIds.filter((id) => decisions.every(({ userId }) => userId !== id)),
    groupIds: approverGroupIds.filter((id) => decisions.every(({ groupIds }) => !groupIds.includes(id))),
  };
}
