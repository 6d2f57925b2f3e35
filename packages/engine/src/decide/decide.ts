import { applyAll } from '../apply.ts';
import type { Command, CommandOf } from '../commands.ts';
import type { CommandResult, Decision } from '../decision.ts';
import type { Environment } from '../environment.ts';
import type { Fact } from '../facts.ts';
import type { Documents } from '../process.ts';
import { isActive, isOpen, isPastDue, isRequiredAndOpen, isRetired, type RunState } from '../state.ts';
import type { Clock } from '../time.ts';
import { grantApproval, rejectApproval } from './approval-decisions.ts';
import { approvalChanges } from './approvals.ts';
import { blockingChanges } from './blocking.ts';
import { addComment, deleteComment, editComment } from './comments.ts';
import { completeEntry, discardEntry, openEntry, reopenEntry, submitValues } from './entries.ts';
import { attachFile, removeFile, removeInfected } from './files.ts';
import { formSteps } from './form.ts';
import { ruleChanges } from './rules.ts';
import { archive, cancel, complete, rename, reopen, unarchive } from './run.ts';
import { sizeRejection } from './size.ts';
import { assign, forceUnblock, moveDeadlines, reopenedDeadlines, setDueDate, setTaskStatus } from './tasks.ts';
import { migrate, syncRules } from './versions.ts';

/**
 * Decides a command on a run: returns its facts and the state after them, or a rejection. Pure: the same arguments
 * always lead to the same decision. Never throws.
 */
export function decide(run: RunState, command: Command, environment: Environment): Decision {
  if (command.type === 'submitForm') return decideAll(run, formSteps(run, command), environment);
  const result = resultOf(run, command, environment);
  if ('rejection' in result) return result;
  if (result.facts.length === 0 && command.type !== 'detectOverdue') return { rejection: null, facts: [], state: run };

  const facts = [...result.facts];
  const documents = documentsOf(command);
  let state = applyAll(run, facts, documents);
  // A run that has ended does not change. The consequences of removing an infected file wait until it is reopened.
  const hasEnded = !isActive(run) && !isActive(state);
  for (const factsThatFollow of hasEnded ? [] : everythingThatFollows) {
    const following = factsThatFollow(run, state, environment);
    state = applyAll(state, following, documents);
    facts.push(...following);
  }
  return sizeRejection(run, state, facts, environment) ?? { rejection: null, facts, state };
}

/**
 * Decides commands on a run, each on the state after the previous one. Stops at the first rejection; the run is then
 * unchanged.
 */
export function decideAll(run: RunState, commands: readonly Command[], environment: Environment): Decision {
  const facts: Fact[] = [];
  let state = run;
  for (const command of commands) {
    const decision = decide(state, command, environment);
    if (decision.rejection) return decision;
    state = decision.state;
    facts.push(...decision.facts);
  }
  return { rejection: null, facts, state };
}

function resultOf(
  run: RunState,
  command: Exclude<Command, CommandOf<'submitForm'>>,
  environment: Environment,
): CommandResult {
  switch (command.type) {
    case 'rename':
      return rename(run, command, environment);
    case 'complete':
      return complete(run, environment);
    case 'cancel':
      return cancel(run, environment);
    case 'reopen':
      return reopen(run, environment);
    case 'archive':
      return archive(run, environment);
    case 'unarchive':
      return unarchive(run, environment);
    case 'setTaskStatus':
      return setTaskStatus(run, command, environment);
    case 'setDueDate':
      return setDueDate(run, command, environment);
    case 'forceUnblock':
      return forceUnblock(run, command, environment);
    case 'grantApproval':
      return grantApproval(run, command, environment);
    case 'rejectApproval':
      return rejectApproval(run, command, environment);
    case 'assign':
      return assign(run, command, environment);
    case 'openEntry':
      return openEntry(run, command, environment);
    case 'submitValues':
      return submitValues(run, command, environment);
    case 'attachFile':
      return attachFile(run, command, environment);
    case 'removeFile':
      return removeFile(run, command, environment);
    case 'removeInfected':
      return removeInfected(run, command, environment);
    case 'completeEntry':
      return completeEntry(run, command, environment);
    case 'reopenEntry':
      return reopenEntry(run, command, environment);
    case 'discardEntry':
      return discardEntry(run, command, environment);
    case 'migrate':
      return migrate(run, command, environment);
    case 'syncRules':
      return syncRules(run, command, environment);
    case 'addComment':
      return addComment(run, command, environment);
    case 'editComment':
      return editComment(command, environment);
    case 'deleteComment':
      return deleteComment(command, environment);
    case 'detectOverdue':
      return { facts: [] };
    case 'moveDeadlines':
      return moveDeadlines(run, environment);
  }
}

/** The document that a command brings. No other version occurs in the facts of its decision. */
function documentsOf(command: Command): Documents {
  return (templateVersionId) => {
    if ('document' in command) return command.document;
    throw new Error(`The command ${command.type} has led to a fact that names the version ${templateVersionId}.`);
  };
}

/** The consequences of a command, in order. Each step starts from the state after the previous step. */
const everythingThatFollows = [
  ruleChanges,
  blockingChanges,
  approvalChanges,
  reopenedDeadlines,
  automaticCompletion,
  deadlineChanges,
];

/**
 * Completes a run if the command removed the last task that it waited for: the last open required task or, without
 * visible required tasks, the last open task.
 *
 * A run that was not waiting for any task does not complete automatically. Otherwise nobody could complete the optional
 * tasks of a reopened run. A migrated run waits for the required tasks of its new version.
 */
function automaticCompletion(before: RunState, run: RunState, { now }: Clock): Fact[] {
  const isMigrated = before.templateVersionId !== run.templateVersionId;
  const isAwaited = awaitedIn(isMigrated ? run : before);
  const isDone = isActive(run) && before.tasks.some(awaitedIn(before)) && !run.tasks.some(isAwaited);
  return isDone ? [{ type: 'run.completed', at: now, automatically: true }] : [];
}

function awaitedIn({ tasks }: RunState) {
  const hasRequired = tasks.some((task) => task.definition.required && !task.hidden && !isRetired(task));
  return hasRequired ? isRequiredAndOpen : isOpen;
}

/**
 * Records each deadline of an open task once when it is near, and once when it was missed. The run stays OVERDUE while
 * it has such a task.
 */
function deadlineChanges(_before: RunState, run: RunState, { now }: Clock): Fact[] {
  if (!isActive(run)) return [];
  const overdue = run.tasks.filter((task) => isPastDue(task, now));
  const signals = run.tasks.flatMap((task): Fact[] => {
    const { id: runTaskId, deadlineAt } = task;
    if (deadlineAt === null || !isOpen(task)) return [];
    if (isPastDue(task, now))
      return task.overdueSignalled ? [] : [{ type: 'task.overdue', at: now, runTaskId, deadlineAt }];
    const isDueSoon = task.dueSoonAt !== null && task.dueSoonAt < now;
    return isDueSoon ? [{ type: 'task.due_soon', at: now, runTaskId, deadlineAt }] : [];
  });
  if (overdue.length > 0 && run.status === 'RUNNING') return [...signals, { type: 'run.overdue', at: now }];
  if (overdue.length === 0 && run.status === 'OVERDUE') return [...signals, { type: 'run.on_time', at: now }];
  return signals;
}
