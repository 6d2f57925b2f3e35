import assert from 'node:assert/strict';
import {
  decide,
  explain,
  isActive,
  isRetired,
  type Environment,
  type Explanation,
  type RunState,
  type TaskState,
} from '@runward/engine';
import { plain } from './display.ts';

type Reason = Explanation['run']['reasons'][number];
type Code = Reason['code'];

const hiding: readonly Code[] = ['HIDDEN_BY_RULE', 'NOT_SHOWN_BY_RULE', 'RULES_NOT_APPLIED', 'RETIRED'];
const assigning: readonly Code[] = ['ASSIGNED_BY_HAND', 'ASSIGNED_BY_RULE', 'ASSIGNED_BY_TEMPLATE'];
const ofForms: readonly Code[] = ['NOT_OPENED', 'VALUES_MISSING', 'FORM_FILLED_IN'];

/**
 * Throws unless the explanation of a run has a reason for every status, approval, hidden task, hidden field and
 * assignee.
 */
export function everythingIsExplained(state: RunState, environment: Environment): void {
  const { run, tasks } = explain(state, plain);
  const codesOf = (reasons: readonly { code: Code }[]) => reasons.map(({ code }) => code);
  const ended = { COMPLETED: 'RUN_COMPLETED', CANCELLED: 'RUN_CANCELLED', OVERDUE: 'TASKS_OVERDUE', RUNNING: null };
  const expected = ended[state.status];
  const ofRun = codesOf(run.reasons);
  assert(expected === null || ofRun.includes(expected as Code), `${state.status} has no reason`);
  assert.equal(ofRun.includes('ARCHIVED'), state.archivedAt !== null);
  assert.equal(run.completable, isActive(state) && !decide(state, { type: 'complete' }, environment).rejection);
  if (isActive(state)) assert.equal(ofRun.includes('REQUIRED_TASKS_OPEN'), !run.completable);

  for (const [index, { status, hidden, reasons }] of tasks.entries()) {
    const task = state.tasks[index];
    assert(task);
    const codes = codesOf(reasons.filter(({ fieldIds, code }) => !fieldIds || code === 'VALUES_MISSING'));
    const has = (some: readonly Code[]) => some.some((code) => codes.includes(code));
    if (hidden) assert(has(hiding), 'a hidden task has no reason');
    else assert(!has(hiding.slice(0, 2)), 'a visible task has a reason to be hidden');
    assert.equal(codes.includes('RETIRED'), isRetired(task));
    for (const fieldId of isRetired(task) ? [] : task.hiddenFieldIds) {
      const isExplained = reasons.some(({ code, fieldIds }) => hiding.includes(code) && fieldIds?.includes(fieldId));
      assert(isExplained, 'a hidden field has no reason');
    }
    assert.equal(codes.includes('COMPLETED'), status === 'COMPLETED');
    assert.equal(codes.includes('BLOCKED'), status === 'BLOCKED');
    approvalIsExplained(task, reasons);
    assert.equal(has(ofForms), status !== 'COMPLETED');
    assert.equal(has(assigning), task.assigneeId !== null || task.assigneeGroupId !== null);
    if (task.assignedManually) assert(codes.includes('ASSIGNED_BY_HAND') || codes.includes('UNASSIGNED_BY_HAND'));
    const isOverdue = task.overdueSignalled && !hidden && status !== 'COMPLETED';
    assert.equal(codes.includes('OVERDUE'), isOverdue);
    for (const { message } of reasons) assert.match(message, /^[A-Z].*\.$/s, 'a reason is a sentence');
  }
}

const ofApprovals: Readonly<Record<string, Code>> = {
  NOT_REQUESTED: 'APPROVAL_NOT_REQUESTED',
  REQUESTED: 'WAITING_FOR_APPROVAL',
  GRANTED: 'APPROVAL_GRANTED',
  REJECTED: 'APPROVAL_REJECTED',
};

/**
 * One reason must describe the progress of the approval. Members who decided and members who are missing must add up to
 * all who are named.
 */
function approvalIsExplained({ definition, approval }: TaskState, reasons: readonly Reason[]): void {
  const isNone = !definition.approval && !approval;
  const isOutdated = approval?.isOutdated === true && approval.status !== 'REJECTED';
  const code = isOutdated ? 'APPROVAL_OUTDATED' : ofApprovals[approval?.status ?? 'NOT_REQUESTED'];
  const found = reasons.filter((reason) => /APPROVAL/.test(reason.code));
  assert.deepEqual(
    found.map((reason) => reason.code),
    isNone ? [] : [code],
  );
  const [reason] = found;
  const decided = approval?.decisions ?? [];
  if (reason?.code === 'APPROVAL_REJECTED') {
    const { userId, comment } = decided.at(-1) ?? assert.fail('nobody rejected');
    assert.equal(reason.userId, userId);
    assert(reason.message.includes(`"${comment}"`), 'a rejection has no comment');
  }
  if (reason?.code === 'APPROVAL_GRANTED' || reason?.code === 'APPROVAL_OUTDATED') {
    assert.deepEqual(
      reason.approverIds,
      decided.map(({ userId }) => userId),
    );
  }
  if (reason?.code !== 'WAITING_FOR_APPROVAL') return;
  const { approverIds = [], approverGroupIds = [] } = definition.approval ?? {};
  const { approverIds: missing = [], approverGroupIds: missingGroups = [] } = reason;
  const users = new Set(decided.map(({ userId }) => userId));
  const groups = new Set(decided.flatMap(({ groupIds }) => groupIds));
  assert.deepEqual(
    [missing, missingGroups],
    [approverIds.filter((id) => !users.has(id)), approverGroupIds.filter((id) => !groups.has(id))],
  );
}
