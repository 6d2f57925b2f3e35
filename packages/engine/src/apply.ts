import { approvalAfter, unblockedStatus, withApproval, withOutdated } from './approval-state.ts';
import type { Fact, FactOf } from './facts.ts';
import { availableSince, migrated, startedTasks, withRules } from './migrated.ts';
import type { Documents, ProcessDocument } from './process.ts';
import type { EntryState, RunState, TaskState } from './state.ts';

/** The state of a run directly after its launch. Ignores tasks of the fact that the document does not contain. */
export function start(document: ProcessDocument, fact: FactOf<'run.started'>): RunState {
  return {
    id: fact.runId,
    publicId: fact.publicId,
    templateId: fact.templateId,
    templateVersionId: fact.templateVersionId,
    rulesVersionId: null,
    title: fact.title,
    status: 'RUNNING',
    ownerUserId: fact.ownerUserId,
    scheduledDateLocal: fact.scheduledDateLocal,
    variables: fact.variables,
    ruleVariables: fact.ruleVariables,
    createdAt: fact.at,
    completedAt: null,
    cancelledAt: null,
    archivedAt: null,
    firstOverdueAt: null,
    document,
    tasks: startedTasks(document, fact.tasks, fact.at),
    removedTasks: [],
  };
}

/** The state after these facts. `documents` must have every version that they name. */
export function applyAll(run: RunState, facts: readonly Fact[], documents: Documents): RunState {
  return facts.reduce((state, fact) => apply(state, fact, documents), run);
}

/** The state after one more fact. Parts that the fact does not change stay the same objects. */
function apply(run: RunState, fact: Fact, documents: Documents): RunState {
  switch (fact.type) {
    case 'run.started':
    case 'comment.created':
    case 'comment.edited':
    case 'comment.deleted':
      return run;
    case 'run.migrated':
      return migrated(run, fact, documents(fact.templateVersionId));
    case 'run.rules_synchronized':
      return withRules(run, fact, documents(fact.templateVersionId));
    case 'run.renamed':
      return { ...run, title: fact.title };
    case 'run.completed':
      return { ...run, status: 'COMPLETED', completedAt: fact.at };
    case 'run.cancelled':
      return { ...run, status: 'CANCELLED', cancelledAt: fact.at };
    case 'run.reopened':
      return { ...run, status: 'RUNNING', completedAt: null, cancelledAt: null, archivedAt: null };
    case 'run.archived':
      return { ...run, archivedAt: fact.at };
    case 'run.unarchived':
      return { ...run, archivedAt: null };
    case 'run.overdue':
      return { ...run, status: 'OVERDUE', firstOverdueAt: run.firstOverdueAt ?? fact.at };
    case 'run.on_time':
      return { ...run, status: 'RUNNING' };
    case 'task.completed':
      return withTask(run, fact.runTaskId, (task) => ({
        ...task,
        status: 'COMPLETED',
        done: true,
        completedAt: fact.at,
        completedByUserId: fact.userId,
      }));
    case 'task.reopened':
      return withTask(run, fact.runTaskId, (task) => ({
        ...task,
        status: unblockedStatus(task),
        done: task.done && !fact.directly,
        completedAt: null,
        completedByUserId: null,
      }));
    case 'task.due_date_changed': {
      const { dueAt, dueAtHasTime } = fact;
      return withTask(run, fact.runTaskId, (task) => ({ ...task, dueAt, dueAtHasTime, ...movedTo(task, fact) }));
    }
    case 'task.deadline_moved':
      return withTask(run, fact.runTaskId, (task) => ({ ...task, ...movedTo(task, fact) }));
    case 'task.assigned': {
      const { assigneeId, assigneeGroupId, byRule } = fact;
      return withTask(run, fact.runTaskId, (task) => ({
        ...task,
        assigneeId,
        assigneeGroupId,
        assignedManually: !byRule,
      }));
    }
    case 'task.hidden':
      return withTask(run, fact.runTaskId, (task) => ({ ...task, hidden: true }));
    case 'task.shown':
      return withTask(run, fact.runTaskId, (task) => ({ ...task, hidden: false, ...availableSince(task, fact.at) }));
    case 'field.hidden':
      return withTask(run, fact.runTaskId, (task) => ({
        ...task,
        hiddenFieldIds: [...task.hiddenFieldIds, fact.fieldId],
      }));
    case 'field.shown':
      return withTask(run, fact.runTaskId, (task) => ({
        ...task,
        hiddenFieldIds: task.hiddenFieldIds.filter((id) => id !== fact.fieldId),
      }));
    case 'task.blocked':
      return withTask(run, fact.runTaskId, (task) => ({ ...task, status: 'BLOCKED' }));
    case 'task.unblocked':
      return withTask(run, fact.runTaskId, (task) => ({
        ...task,
        status: unblockedStatus(task),
        availableAt: fact.at,
        forceUnblocked: fact.forced || task.forceUnblocked,
      }));
    case 'approval.requested':
    case 'approval.granted':
    case 'approval.rejected':
    case 'approval.invalidated':
      return withTask(run, fact.runTaskId, (task) => withApproval(task, approvalAfter(task.approval, fact)));
    case 'variable.set':
      return { ...run, ruleVariables: { ...run.ruleVariables, [fact.key]: fact.value } };
    case 'variable.reset': {
      const { [fact.key]: _, ...ruleVariables } = run.ruleVariables;
      return { ...run, ruleVariables };
    }
    case 'task.due_soon':
      return withTask(run, fact.runTaskId, (task) => ({ ...task, dueSoonAt: null }));
    case 'task.overdue':
      return withTask(run, fact.runTaskId, (task) => ({ ...task, dueSoonAt: null, overdueSignalled: true }));
    case 'entry.opened':
      return withTask(run, fact.runTaskId, (task) => ({ ...task, entries: [...task.entries, opened(fact)] }));
    case 'value.submitted':
      return withEntry(outdated(run, fact), fact, (entry, task) => withValue(entry, task, fact));
    case 'file.removed':
      return withEntry(outdated(run, fact), fact, (entry) => ({
        ...entry,
        values: withoutFile(entry.values, fact),
        setAside: withoutFile(entry.setAside, fact),
      }));
    case 'entry.completed':
      return withEntry(
        withTask(run, fact.runTaskId, (task) => ({ ...task, done: true })),
        fact,
        (entry) => ({
          ...entry,
          status: 'COMPLETED',
          completedAt: fact.at,
          completionKeys:
            fact.idempotencyKey === null ? entry.completionKeys : [...entry.completionKeys, fact.idempotencyKey],
        }),
      );
    case 'entry.reopened': {
      const reopened = withEntry(run, fact, (entry) => ({ ...entry, status: 'OPEN', completedAt: null }));
      return withTask(reopened, fact.runTaskId, (task) => ({
        ...task,
        done: task.done && task.entries.some((entry) => entry.status === 'COMPLETED'),
      }));
    }
    case 'entry.discarded':
      return withTask(run, fact.runTaskId, (task) => ({
        ...task,
        entries: task.entries.filter((entry) => entry.id !== fact.entryId),
      }));
  }
}

/**
 * The state that results from all facts of a run. Null if the first fact is not the launch. `documents` must have every
 * version that the facts name.
 */
export function fold(documents: Documents, facts: readonly Fact[]): RunState | null {
  const [first, ...rest] = facts;
  if (first?.type !== 'run.started') return null;
  return applyAll(start(documents(first.templateVersionId), first), rest, documents);
}

/** The ids of the versions that are needed to fold these facts. */
export function versionsNamedBy(facts: readonly Fact[]): string[] {
  return [...new Set(facts.flatMap((fact) => ('templateVersionId' in fact ? [fact.templateVersionId] : [])))];
}

/** A missed deadline is recorded once. After the deadline moves, it can be missed again. */
function movedTo(
  task: TaskState,
  { deadlineAt, dueSoonAt }: FactOf<'task.due_date_changed' | 'task.deadline_moved'>,
): Pick<TaskState, 'deadlineAt' | 'dueSoonAt' | 'overdueSignalled'> {
  return {
    deadlineAt,
    dueSoonAt: dueSoonAt ?? null,
    overdueSignalled: task.overdueSignalled && task.deadlineAt === deadlineAt,
  };
}

function opened(fact: FactOf<'entry.opened'>): EntryState {
  return {
    id: fact.entryId,
    status: 'OPEN',
    createdByUserId: fact.userId,
    createdAt: fact.at,
    completedAt: null,
    completionKeys: [],
    values: [],
    setAside: [],
  };
}

/** A new value for a field replaces the value that was set aside. */
function withValue(entry: EntryState, task: TaskState, fact: FactOf<'value.submitted'>): EntryState {
  const { fieldValueId: id, fieldId, value, userId: submittedByUserId, at: submittedAt } = fact;
  const fieldType = task.definition.fields.find((field) => field.id === fieldId)?.type ?? 'TEXT';
  const { rowLabel = null, filledFrom = null } = fact;
  const submitted = { id, fieldId, fieldType, value, rowLabel, filledFrom, submittedByUserId, submittedAt };
  const isKnown = entry.values.some((known) => known.id === id);
  return {
    ...entry,
    values: isKnown ? entry.values.map((known) => (known.id === id ? submitted : known)) : [...entry.values, submitted],
    setAside: isKnown ? entry.setAside : entry.setAside.filter((known) => known.id !== id),
  };
}

function withoutFile(values: EntryState['values'], fact: FactOf<'file.removed'>): EntryState['values'] {
  return values.map((value) => (value.id === fact.fieldValueId ? { ...value, value: fact.value } : value));
}

function outdated(run: RunState, fact: FactOf<'value.submitted' | 'file.removed'>): RunState {
  return withTask(run, fact.runTaskId, (task) => withOutdated(task, fact.entryId, { [fact.fieldId]: fact.value }));
}

function withTask(run: RunState, runTaskId: string, change: (task: TaskState) => TaskState): RunState {
  const changed = (task: TaskState) => (task.id === runTaskId ? change(task) : task);
  const isRemoved = run.removedTasks.some(({ id }) => id === runTaskId);
  return isRemoved
    ? { ...run, removedTasks: run.removedTasks.map(changed) }
    : { ...run, tasks: run.tasks.map(changed) };
}

function withEntry(
  run: RunState,
  at: { runTaskId: string; entryId: string },
  change: (entry: EntryState, task: TaskState) => EntryState,
): RunState {
  return withTask(run, at.runTaskId, (task) => ({
    ...task,
    entries: task.entries.map((entry) => (entry.id === at.entryId ? change(entry, task) : entry)),
  }));
}
