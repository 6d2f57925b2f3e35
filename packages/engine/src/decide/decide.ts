import { apply } from '../apply.ts';
import type { Command } from '../commands.ts';
import type { Decision, Step } from '../decision.ts';
import type { Fact } from '../facts.ts';
import { isActive, isPastDue, isRequiredAndOpen, type RunState } from '../state.ts';
import type { Clock, Instant } from '../time.ts';
import { completeEntry, openEntry, reopenEntry, submitValues } from './entries.ts';
import { archive, cancel, complete, rename, reopen } from './run.ts';
import { assign, setDueDate, setTaskStatus } from './tasks.ts';

/**
 * What a command does to a run: the facts and the state after them, or why it is refused. Pure: the same run, command and
 * clock always lead to the same decision, and nothing throws.
 */
export function decide(run: RunState, command: Command, clock: Clock): Decision {
  const step = carryOut(run, command, clock);
  if ('rejection' in step) return step;
  if (step.facts.length === 0 && command.type !== 'detectOverdue') return { rejection: null, facts: [], state: run };

  let state = step.facts.reduce(apply, run);
  const facts = [...step.facts];
  for (const follows of [completion, lateness]) {
    const more = follows(state, facts, clock.now);
    state = more.reduce(apply, state);
    facts.push(...more);
  }
  return { rejection: null, facts, state };
}

function carryOut(run: RunState, command: Command, clock: Clock): Step {
  switch (command.type) {
    case 'rename':
      return rename(run, command, clock);
    case 'complete':
      return complete(run, clock);
    case 'cancel':
      return cancel(run, clock);
    case 'reopen':
      return reopen(run, clock);
    case 'archive':
      return archive(run, clock);
    case 'setTaskStatus':
      return setTaskStatus(run, command, clock);
    case 'setDueDate':
      return setDueDate(run, command, clock);
    case 'assign':
      return assign(run, command, clock);
    case 'openEntry':
      return openEntry(run, command, clock);
    case 'submitValues':
      return submitValues(run, command, clock);
    case 'completeEntry':
      return completeEntry(run, command, clock);
    case 'reopenEntry':
      return reopenEntry(run, command, clock);
    case 'detectOverdue':
      return { facts: [] };
  }
}

/** A run completes by itself when a task was just completed and no required visible task is left open. */
function completion(run: RunState, facts: readonly Fact[], now: Instant): Fact[] {
  const due =
    isActive(run) && facts.some((fact) => fact.type === 'task.completed') && !run.tasks.some(isRequiredAndOpen);
  return due && run.tasks.some((task) => task.status === 'COMPLETED')
    ? [{ type: 'run.completed', at: now, automatically: true }]
    : [];
}

/** Each open task past its deadline is said to be overdue once; the run is OVERDUE exactly while there is one. */
function lateness(run: RunState, _facts: readonly Fact[], now: Instant): Fact[] {
  if (!isActive(run)) return [];
  const late = run.tasks.filter((task) => isPastDue(task, now));
  const signals = late.flatMap((task): Fact[] =>
    task.overdueSignalled || task.deadlineAt === null
      ? []
      : [{ type: 'task.overdue', at: now, runTaskId: task.id, deadlineAt: task.deadlineAt }],
  );
  if (late.length > 0 && run.status === 'RUNNING') return [...signals, { type: 'run.overdue', at: now }];
  if (late.length === 0 && run.status === 'OVERDUE') return [...signals, { type: 'run.on_time', at: now }];
  return signals;
}
