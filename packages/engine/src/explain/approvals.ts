import { missingApprovers, worksOf } from '../decide/approval-decisions.ts';
import type { ApprovalDefinition } from '../process.ts';
import type { ApprovalState, TaskState } from '../state.ts';
import type { Display } from './display-value.ts';
import type { Reason } from './explain.ts';

/** The progress of a task's approval: who has yet to decide, who approved, or who rejected it and why. */
export function approvalOf(task: TaskState, display: Display): Reason[] {
  const { approval } = task;
  const { approval: definition } = task.definition;
  if (!approval) return definition ? [notRequested(task)] : [];
  if (approval.status === 'REJECTED') return [rejected(approval, display)];
  if (approval.isOutdated) return [outdated(approval, display)];
  if (approval.status === 'GRANTED') return [granted(approval, display)];
  return definition ? [waiting(task, definition, approval, display)] : [];
}

function notRequested({ status, hidden }: TaskState): Reason {
  const code = 'APPROVAL_NOT_REQUESTED';
  if (status === 'COMPLETED') {
    return { code, message: 'It was completed before its form needed an approval; reopened, it needs one.' };
  }
  const until = hidden ? 'it is visible and its open form' : 'its open form';
  return {
    code,
    message: `Its form needs an approval, which is requested as soon as ${until} has every required value.`,
  };
}

function waiting(
  task: TaskState,
  definition: ApprovalDefinition,
  { entryId, decisions }: ApprovalState,
  { nameOf }: Display,
): Reason {
  const { userIds, groupIds } = missingApprovers(definition, decisions);
  const missing = [...userIds, ...groupIds].map(nameOf);
  const each = definition.policy === 'ALL' ? 'each of ' : 'one of ';
  const whom = missing.length === 0 ? 'any member' : `${missing.length > 1 ? each : ''}${missing.join(', ')}`;
  const sentences = [`Its form waits for the approval of ${whom}.`];
  if (decisions.length > 0) sentences.push(`Approved so far by ${namesOf(decisions, nameOf)}.`);
  const entry = task.entries.find(({ id }) => id === entryId);
  if (entry && !definition.allowSelfApproval) {
    sentences.push(`Who filled it in does not decide: ${[...worksOf(entry)].map(nameOf).join(', ')}.`);
  }
  return {
    code: 'WAITING_FOR_APPROVAL',
    message: sentences.join(' '),
    ...(userIds.length > 0 && { approverIds: [...userIds] }),
    ...(groupIds.length > 0 && { approverGroupIds: [...groupIds] }),
  };
}

function granted({ decisions, decidedAt }: ApprovalState, { nameOf, dateTime }: Display): Reason {
  const on = decidedAt === null ? '' : ` on ${dateTime(decidedAt)}`;
  const message = `Its form was approved by ${namesOf(decisions, nameOf)}${on}.`;
  return { code: 'APPROVAL_GRANTED', message, approverIds: decisions.map(({ userId }) => userId) };
}

function rejected({ decisions }: ApprovalState, { nameOf, dateTime }: Display): Reason {
  const decision = decisions.find((one) => one.decision === 'REJECTED');
  const remedy = 'The next value that is submitted requests the approval again.';
  if (!decision) return { code: 'APPROVAL_REJECTED', message: `Its form was rejected. ${remedy}` };
  const { userId, at, comment } = decision;
  const why = comment === null ? '' : `: "${comment}"`;
  const message = `Its form was rejected by ${nameOf(userId)} on ${dateTime(at)}${why}. ${remedy}`;
  return { code: 'APPROVAL_REJECTED', message, userId };
}

function outdated({ decisions }: ApprovalState, { nameOf }: Display): Reason {
  const message = `Its form has changed since ${namesOf(decisions, nameOf)} approved it; reopened, it has to be approved again.`;
  return { code: 'APPROVAL_OUTDATED', message, approverIds: decisions.map(({ userId }) => userId) };
}

function namesOf(decisions: ApprovalState['decisions'], nameOf: Display['nameOf']): string {
  return decisions.map(({ userId }) => nameOf(userId)).join(', ');
}
