import type { CommandOf } from '../commands.ts';
import { refuse, type Step } from '../decision.ts';
import { isActive, isRequiredAndOpen, type RunState, type TaskState } from '../state.ts';
import type { Clock } from '../time.ts';

/** Gives an active run another title. */
export function rename(run: RunState, { title }: CommandOf<'rename'>, { now }: Clock): Step {
  if (!isActive(run)) return notActive(run);
  return { facts: title === run.title ? [] : [{ type: 'run.renamed', at: now, title }] };
}

/** Completes an active run whose required visible tasks are all done. */
export function complete(run: RunState, { now }: Clock): Step {
  if (!isActive(run)) return notActive(run);
  const open = run.tasks.filter(isRequiredAndOpen);
  if (open.length > 0) {
    const titles = open.map((task) => `"${task.definition.title}"`).join(', ');
    return refuse('required_tasks_open', `Complete the required tasks that are still open first: ${titles}.`);
  }
  return { facts: [{ type: 'run.completed', at: now, automatically: false }] };
}

/** Ends an active run without completing it. */
export function cancel(run: RunState, { now }: Clock): Step {
  return isActive(run) ? { facts: [{ type: 'run.cancelled', at: now }] } : notActive(run);
}

/** Makes a completed or cancelled run active again; its tasks stay as they are. */
export function reopen(run: RunState, { now }: Clock): Step {
  return isActive(run)
    ? refuse('run_active', `The run is ${run.status}; only a completed or cancelled run can be reopened.`)
    : { facts: [{ type: 'run.reopened', at: now }] };
}

/** Puts a completed or cancelled run out of the way. */
export function archive(run: RunState, { now }: Clock): Step {
  if (isActive(run))
    return refuse('run_active', `The run "${run.title}" is ${run.status}; complete or cancel it first.`);
  return { facts: run.archivedAt === null ? [{ type: 'run.archived', at: now }] : [] };
}

/** The rejection of a change to a run that is over. */
export function notActive(run: RunState): Step {
  return refuse('run_not_active', `The run is ${run.status}; reopen it first.`);
}

/** The rejection of a change to a task that is hidden. */
export function taskHidden(task: TaskState): Step {
  const { title } = task.definition;
  return refuse('task_hidden', `The task "${title}" is hidden by a rule; change the values the rule looks at first.`);
}
