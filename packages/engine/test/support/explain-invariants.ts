import assert from 'node:assert/strict';
import {
  decide,
  explain,
  isActive,
  isRetired,
  type Environment,
  type Explanation,
  type RunState,
} from '@runward/engine';
import { plain } from './display.ts';

type Code = Explanation['run']['reasons'][number]['code'];

const hiding: readonly Code[] = ['HIDDEN_BY_RULE', 'NOT_SHOWN_BY_RULE', 'RULES_NOT_APPLIED', 'RETIRED'];
const assigning: readonly Code[] = ['ASSIGNED_BY_HAND', 'ASSIGNED_BY_RULE', 'ASSIGNED_BY_TEMPLATE'];
const ofForms: readonly Code[] = ['NOT_OPENED', 'VALUES_MISSING', 'FORM_FILLED_IN'];

/** Throws unless the explanation of a run has a reason for every status, hidden task, hidden field and assignee. */
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
    assert.equal(has(ofForms), status !== 'COMPLETED');
    assert.equal(has(assigning), task.assigneeId !== null || task.assigneeGroupId !== null);
    if (task.assignedManually) assert(codes.includes('ASSIGNED_BY_HAND') || codes.includes('UNASSIGNED_BY_HAND'));
    const isOverdue = task.overdueSignalled && !hidden && status !== 'COMPLETED';
    assert.equal(codes.includes('OVERDUE'), isOverdue);
    for (const { message } of reasons) assert.match(message, /^[A-Z].*\.$/s, 'a reason is a sentence');
  }
}
