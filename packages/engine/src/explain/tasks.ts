import { blockersOf } from '../decide/blocking.ts';
import { isOpen, visibleFields, type RunState, type TaskState } from '../state.ts';
import { isFilled } from '../values.ts';
import { approvalOf } from './approvals.ts';
import type { Display } from './display-value.ts';
import type { Reason } from './explain.ts';
import { firstOf } from './first-of.ts';

/** Explains the status of a task, its approval, what its form lacks, and whether it is overdue. */
export function statusOf(run: RunState, task: TaskState, display: Display): Reason[] {
  return [
    ...ofStatus(run, task, display),
    ...approvalOf(task, display),
    ...(task.status === 'COMPLETED' ? [] : form(task)),
    ...(isOpen(task) && task.overdueSignalled ? [overdue(task, display)] : []),
  ];
}

function ofStatus(run: RunState, task: TaskState, display: Display): Reason[] {
  const { status, completedAt, completedByUserId, forceUnblocked } = task;
  switch (status) {
    case 'COMPLETED': {
      const by = completedByUserId === null ? '' : ` by ${display.nameOf(completedByUserId)}`;
      const on = completedAt === null ? '' : ` on ${display.dateTime(completedAt)}`;
      const ids = completedByUserId === null ? {} : { userId: completedByUserId };
      return [{ code: 'COMPLETED', message: `It was completed${by}${on}.`, ...ids }];
    }
    case 'BLOCKED': {
      const blockers = blockersOf(run, task);
      const titles = firstOf(blockers, ', ', ({ definition }) => `"${definition.title}"`);
      return [{ code: 'BLOCKED', message: `It waits for ${titles}.`, runTaskIds: blockers.map(({ id }) => id) }];
    }
    case 'PENDING_APPROVAL':
    case 'PENDING':
      return forceUnblocked
        ? [{ code: 'FORCE_UNBLOCKED', message: 'It was unblocked by hand and does not wait for other tasks.' }]
        : [];
  }
}

/** What can be done with the form: open it, fill it in, or complete it. */
function form(task: TaskState): Reason[] {
  const open = task.entries.filter(({ status }) => status === 'OPEN');
  if (open.length === 0) return [{ code: 'NOT_OPENED', message: 'It is not completed, and its form is not open.' }];
  const missing = visibleFields(task).filter(
    ({ id, required }) =>
      required && open.some(({ values }) => !isFilled(values.find(({ fieldId }) => fieldId === id)?.value ?? null)),
  );
  if (missing.length === 0) {
    return [{ code: 'FORM_FILLED_IN', message: 'Its form is open and has every required value.' }];
  }
  const labels = firstOf(missing, ', ', ({ label }) => `"${label}"`);
  const message = `Required fields of its open form have no value: ${labels}.`;
  return [{ code: 'VALUES_MISSING', message, fieldIds: missing.map(({ id }) => id) }];
}

function overdue({ deadlineAt }: TaskState, { dateTime }: Display): Reason {
  const since = deadlineAt === null ? '' : ` on ${dateTime(deadlineAt)}`;
  return { code: 'OVERDUE', message: `Its deadline passed${since}.` };
}
