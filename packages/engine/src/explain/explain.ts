import type { Contract, Response } from '@runward/contract';
import { outcomeOf } from '../decide/rules.ts';
import { isActive, isOpen, isRequiredAndOpen, type RunState, type TaskState } from '../state.ts';
import type { Display } from './display-value.ts';
import { firstOf } from './first-of.ts';
import { ruleReasonsOf } from './rule-reasons.ts';
import { assignment, visibility } from './rules.ts';
import { statusOf } from './tasks.ts';

/** The reasons for the state of a run and its tasks. */
export type Explanation = Response<Contract['runs']['explain']>;

/** One reason: the part that it concerns, and a sentence. */
export type Reason = Explanation['run']['reasons'][number];

/**
 * Explains a run: the status of the run and of each task, every hidden task and field, and every assignee. Depends only
 * on the state, so a deadline counts as passed once the run has recorded it.
 */
export function explain(run: RunState, display: Display): Explanation {
  const outcome = outcomeOf(run);
  const rules = ruleReasonsOf(run, outcome, display);
  return {
    run: {
      status: run.status,
      completable: isActive(run) && !run.tasks.some(isRequiredAndOpen),
      reasons: reasonsOf(run, display),
    },
    tasks: run.tasks.map((task) => ({
      runTaskId: task.id,
      title: task.definition.title,
      status: task.status,
      hidden: task.hidden,
      reasons: [
        ...visibility(task, outcome, rules),
        ...statusOf(run, task, display),
        ...assignment(task, outcome, rules, display),
      ],
    })),
  };
}

function reasonsOf(run: RunState, display: Display): Reason[] {
  const reasons = run.archivedAt === null ? [] : [ended('ARCHIVED', 'archived', run.archivedAt, display)];
  if (run.status === 'COMPLETED') return [ended('RUN_COMPLETED', 'completed', run.completedAt, display), ...reasons];
  if (run.status === 'CANCELLED') return [ended('RUN_CANCELLED', 'cancelled', run.cancelledAt, display), ...reasons];
  const overdue = run.tasks.filter((task) => isOpen(task) && task.overdueSignalled);
  return [...(run.status === 'OVERDUE' ? [named('TASKS_OVERDUE', 'Past their deadline', overdue)] : []), awaited(run)];
}

function awaited({ tasks }: RunState): Reason {
  const required = tasks.filter(isRequiredAndOpen);
  if (required.length > 0) return named('REQUIRED_TASKS_OPEN', 'Required and not completed', required);
  const optional = tasks.filter(isOpen);
  return optional.length > 0
    ? named('OPTIONAL_TASKS_OPEN', 'Only optional tasks are open', optional)
    : { code: 'NO_TASK_OPEN', message: 'No task is open. The run can be completed.' };
}

function named(code: Reason['code'], text: string, tasks: readonly TaskState[]): Reason {
  const titles = firstOf(tasks, ', ', ({ definition }) => `"${definition.title}"`);
  return { code, message: `${text}: ${titles}.`, runTaskIds: tasks.map(({ id }) => id) };
}

function ended(code: Reason['code'], verb: string, at: string | null, { dateTime }: Display): Reason {
  return { code, message: `The run was ${verb}${at === null ? '' : ` on ${dateTime(at)}`}.` };
}
