import type { Fact, FactOf } from './facts.ts';
import type { ProcessDocument } from './process.ts';
import type { EntryState, RunState, TaskState } from './state.ts';
import type { Instant } from './time.ts';

/** The state of a run directly after its launch. Tasks that the document does not contain are left out. */
export function start(document: ProcessDocument, fact: FactOf<'run.started'>): RunState {
  const definitions = new Map(document.tasks.map((task) => [task.id, task]));
  return {
    id: fact.runId,
    publicId: fact.publicId,
    templateId: fact.templateId,
    templateVersionId: fact.templateVersionId,
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
    document,
    tasks: fact.tasks.flatMap((task) => {
      const definition = definitions.get(task.taskId);
      if (!definition) return [];
      return {
        id: task.runTaskId,
        definition,
        status: task.blocked ? 'BLOCKED' : 'PENDING',
        hidden: task.hidden,
        done: false,
        hiddenFieldIds: task.hiddenFieldIds,
        forceUnblocked: false,
        dueAt: task.dueAt,
        dueAtHasTime: task.dueAtHasTime,
        deadlineAt: task.deadlineAt,
        overdueSignalled: false,
        assigneeId: task.assigneeId,
        assigneeGroupId: task.assigneeGroupId,
        assignedManually: false,
        completedAt: null,
        completedByUserId: null,
        entries: [],
      } satisfies TaskState;
    }),
  };
}

/** The state after one more fact. Parts that the fact does not change stay the same objects. */
export function apply(run: RunState, fact: Fact): RunState {
  switch (fact.type) {
    case 'run.started':
      return run;
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
      return { ...run, status: 'OVERDUE' };
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
        status: 'PENDING',
        done: task.done && !fact.directly,
        completedAt: null,
        completedByUserId: null,
      }));
    case 'task.due_date_changed': {
      const { dueAt, dueAtHasTime, deadlineAt } = fact;
      return withTask(run, fact.runTaskId, (task) => ({
        ...task,
        dueAt,
        dueAtHasTime,
        ...movedTo(task, deadlineAt),
      }));
    }
    case 'task.deadline_moved': {
      const { deadlineAt } = fact;
      return withTask(run, fact.runTaskId, (task) => ({ ...task, ...movedTo(task, deadlineAt) }));
    }
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
    case 'task.shown':
      return withTask(run, fact.runTaskId, (task) => ({ ...task, hidden: fact.type === 'task.hidden' }));
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
        status: 'PENDING',
        forceUnblocked: fact.forced || task.forceUnblocked,
      }));
    case 'variable.set':
      return { ...run, ruleVariables: { ...run.ruleVariables, [fact.key]: fact.value } };
    case 'variable.reset': {
      const { [fact.key]: _, ...ruleVariables } = run.ruleVariables;
      return { ...run, ruleVariables };
    }
    case 'task.overdue':
      return withTask(run, fact.runTaskId, (task) => ({ ...task, overdueSignalled: true }));
    case 'entry.opened':
      return withTask(run, fact.runTaskId, (task) => ({ ...task, entries: [...task.entries, opened(fact)] }));
    case 'value.submitted':
      return withEntry(run, fact, (entry) => ({ ...entry, values: withValue(entry, fact) }));
    case 'file.removed':
      return withEntry(run, fact, (entry) => ({
        ...entry,
        values: entry.values.map((value) => (value.id === fact.fieldValueId ? { ...value, value: fact.value } : value)),
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

/** The state that all facts of a run result in, or null if the first is not its launch. */
export function fold(document: ProcessDocument, facts: readonly Fact[]): RunState | null {
  const [first, ...rest] = facts;
  return first?.type === 'run.started' ? rest.reduce(apply, start(document, first)) : null;
}

/** A missed deadline was recorded for one moment only; another one can be missed again. */
function movedTo(task: TaskState, deadlineAt: Instant | null): Pick<TaskState, 'deadlineAt' | 'overdueSignalled'> {
  return { deadlineAt, overdueSignalled: task.overdueSignalled && task.deadlineAt === deadlineAt };
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
  };
}

function withValue(entry: EntryState, fact: FactOf<'value.submitted'>): EntryState['values'] {
  const { fieldValueId: id, fieldId, value, userId: submittedByUserId, at: submittedAt } = fact;
  const submitted = { id, fieldId, value, submittedByUserId, submittedAt };
  return entry.values.some((known) => known.id === id)
    ? entry.values.map((known) => (known.id === id ? submitted : known))
    : [...entry.values, submitted];
}

function withTask(run: RunState, runTaskId: string, change: (task: TaskState) => TaskState): RunState {
  return { ...run, tasks: run.tasks.map((task) => (task.id === runTaskId ? change(task) : task)) };
}

function withEntry(
  run: RunState,
  at: { runTaskId: string; entryId: string },
  change: (entry: EntryState) => EntryState,
): RunState {
  return withTask(run, at.runTaskId, (task) => ({
    ...task,
    entries: task.entries.map((entry) => (entry.id === at.entryId ? change(entry) : entry)),
  }));
}
