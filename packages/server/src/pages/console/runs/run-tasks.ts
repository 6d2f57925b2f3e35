import { isActive } from '@runward/engine';
import type { Phase, ReasonCode, Run, RunExplanation } from '@runward/sdk';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest } from '../console-page.ts';
import type { People } from '../people.ts';
import { statusMark } from '../status.ts';
import { renderTable } from '../table.ts';
import { visibleTasks } from './run-rows.ts';

/** What the tasks of a run refer to, by name. */
export interface TaskNames {
  readonly phases: readonly Phase[];
  readonly assigneeOf: People['assigneeOf'];
}

type Task = Run['tasks'][number];

/** With more tasks than this, phases are folded. */
const maximumUnfolded = 50;

/** Why a task waits; other reasons say why it is visible, assigned or done. */
const waiting = new Set<ReasonCode>([
  'BLOCKED',
  'FORCE_UNBLOCKED',
  'APPROVAL_NOT_REQUESTED',
  'WAITING_FOR_APPROVAL',
  'APPROVAL_REJECTED',
  'APPROVAL_OUTDATED',
  'NOT_OPENED',
  'VALUES_MISSING',
]);

/**
 * The tasks of a run by phase. Without an explanation, nothing is said about why they wait, and nothing can be done.
 */
export function taskSection(
  request: ConsoleRequest,
  run: Run,
  names: TaskNames,
  explanation: RunExplanation | null,
): Markup {
  const tasks = visibleTasks(run);
  const reasons = new Map(explanation?.tasks.map((task) => [task.runTaskId, task.reasons]));
  // Phases are unknown if the template was deleted.
  const known = new Set(names.phases.map(({ id }) => id));
  const phaseOf = ({ phaseId }: Task) => (phaseId !== null && known.has(phaseId) ? phaseId : null);
  const all = [{ id: null, name: 'Without a phase' }, ...names.phases]
    .map(({ id, name }) => ({ name, tasks: tasks.filter((task) => phaseOf(task) === id) }))
    .filter((part) => part.tasks.length > 0);
  const hidden = run.tasks.length - tasks.length;
  return html`<section aria-labelledby="tasks">
    <h2 id="tasks">Tasks</h2>
    ${all.map((part) => phase(part.name, part.tasks))}
    ${tasks.length === 0 && html`<p class="empty">No task is visible.</p>`}
    ${hidden > 0 && html`<p class="note">Rules hide ${request.formats.number(hidden)} more.</p>`}
  </section>`;

  function phase(name: string, some: readonly Task[]): Markup {
    const done = some.filter(({ status }) => status === 'COMPLETED').length;
    const columns = ['Task', 'Status', 'Assigned to', 'Due', ...(explanation && isActive(run) ? ['Change'] : [])];
    const table = renderTable({ caption: `Tasks: ${name}`, columns, rows: some.map((task) => row(task)) });
    if (all.length === 1 && tasks.length <= maximumUnfolded) return table;
    return html`<details class="phase" ${tasks.length <= maximumUnfolded && html`open`}>
      <summary><bdi>${name}</bdi> <span class="count">${done} of ${some.length}</span></summary>
      ${table}
    </details>`;
  }

  function row(task: Task): Child[] {
    const why = (reasons.get(task.runTaskId) ?? []).filter(({ code }) => waiting.has(code));
    return [
      html`<a href="${consolePaths.tasks}/${task.runTaskId}"><bdi>${task.title}</bdi></a>
        ${!task.required && html`<span class="badge">Optional</span>`}
        ${task.status !== 'COMPLETED' && why.map(({ message }) => html`<span class="why">${message}</span>`)}`,
      statusMark(task.status),
      names.assigneeOf(task),
      due(request, run, task),
      ...(explanation && isActive(run) ? [change(run, task)] : []),
    ];
  }
}

function due({ formats, now }: ConsoleRequest, run: Run, { deadlineAt, status }: Task): Child {
  if (deadlineAt === null) return null;
  const isPast = isActive(run) && status !== 'COMPLETED' && new Date(deadlineAt) < now;
  return html`<time datetime="${deadlineAt}" class="${isPast && 'overdue'}"
    >${isPast && 'Overdue since '}${formats.time(deadlineAt)}</time
  >`;
}

function change({ id }: Run, { status, retired, runTaskId }: Task): Child {
  const action = status === 'BLOCKED' ? 'unblock' : status === 'COMPLETED' ? 'reopenTask' : null;
  if (action === null || retired) return null;
  return html`<a href="${consolePaths.runs}/${id}/change?do=${action}&task=${runTaskId}"
    >${action === 'unblock' ? 'Unblock' : 'Reopen'}</a
  >`;
}
