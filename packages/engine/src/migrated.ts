import { withMigratedValues } from './approval-state.ts';
import type { FactOf, StartedTask } from './facts.ts';
import type { ProcessDocument, TaskDefinition } from './process.ts';
import { withRulesOf } from './rules/with-rules.ts';
import type { EntryState, RunState, TaskState, ValueState } from './state.ts';
import type { Instant } from './time.ts';
import { stillFits } from './values.ts';

/** Tasks in their initial state. Tasks that the document does not contain are left out. */
export function startedTasks({ tasks }: ProcessDocument, started: readonly StartedTask[], at: Instant): TaskState[] {
  const definitions = new Map(tasks.map((task) => [task.id, task]));
  return started.flatMap((task) => {
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
      approval: null,
      dueAt: task.dueAt,
      dueAtHasTime: task.dueAtHasTime,
      deadlineAt: task.deadlineAt,
      dueSoonAt: task.dueSoonAt ?? null,
      overdueSignalled: false,
      assigneeId: task.assigneeId,
      assigneeGroupId: task.assigneeGroupId,
      assignedManually: false,
      availableAt: task.blocked || task.hidden ? null : at,
      completedAt: null,
      completedByUserId: null,
      retiredFromVersionId: null,
      removedAt: null,
      entries: [],
    } satisfies TaskState;
  });
}

/** The time from which work on a new task is possible. Unchanged if it is blocked or completed. */
export function availableSince({ status }: TaskState, at: Instant): Partial<Pick<TaskState, 'availableAt'>> {
  return status === 'BLOCKED' || status === 'COMPLETED' ? {} : { availableAt: at };
}

/** A run after its migration to a version with this document, before rules and dependencies are evaluated. */
export function migrated(run: RunState, fact: FactOf<'run.migrated'>, document: ProcessDocument): RunState {
  const { templateVersionId, fromVersionId } = fact;
  const known = new Map([...run.tasks, ...run.removedTasks].map((task) => [task.id, task]));
  const named = (ids: readonly string[]) => ids.flatMap((id) => known.get(id) ?? []);
  const definitions = new Map(document.tasks.map((task) => [task.id, task]));
  const restored = new Set(fact.restored);
  const following = named([...fact.kept, ...fact.restored]).flatMap((task) => {
    const definition = definitions.get(task.definition.id);
    if (!definition) return [];
    const since = restored.has(task.id) ? availableSince(task, fact.at) : {};
    return [{ ...followed(task, definition), ...since }];
  });
  const current = new Map(
    [...following, ...startedTasks(document, fact.added, fact.at)].map((task) => [task.definition.id, task]),
  );
  const left = (task: TaskState, removedAt: Instant | null): TaskState => ({
    ...task,
    hidden: false,
    hiddenFieldIds: [],
    definition: leftDefinition(task.definition),
    retiredFromVersionId: task.retiredFromVersionId ?? fromVersionId,
    removedAt,
  });
  const retired = named(fact.retired).map((task) => left(task, null));
  const removed = named(fact.removed).map((task) => left(task, fact.at));
  return {
    ...run,
    templateVersionId,
    rulesVersionId: null,
    document,
    tasks: [...document.tasks.flatMap(({ id }) => current.get(id) ?? []), ...retired],
    removedTasks: [...run.removedTasks.filter(({ id }) => !restored.has(id)), ...removed].toSorted(byId),
  };
}

/** A run with the rules of another version, before they are evaluated. */
export function withRules(
  run: RunState,
  { templateVersionId: rulesVersionId }: FactOf<'run.rules_synchronized'>,
  version: ProcessDocument,
): RunState {
  const { document } = withRulesOf(run.document, version);
  const definitions = new Map(document.tasks.map((task) => [task.id, task]));
  const tasks = run.tasks.map((task) => ({
    ...task,
    definition: definitions.get(task.definition.id) ?? task.definition,
  }));
  return { ...run, rulesVersionId, document, tasks };
}

/**
 * The definition of a task that the run's version does not contain, taken from the last version that had it. Its rules
 * no longer apply.
 */
export function leftDefinition(definition: TaskDefinition): TaskDefinition {
  return { ...definition, rules: [] };
}

/** Splits the values of an entry: values that fit the fields of its task, and values to set aside. */
export function arranged(
  { fields }: TaskDefinition,
  values: readonly ValueState[],
): Pick<EntryState, 'values' | 'setAside'> {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const fits = ({ fieldId, fieldType, value }: ValueState) => {
    const field = byId.get(fieldId);
    return field !== undefined && stillFits(field, fieldType, value);
  };
  return { values: values.filter(fits), setAside: values.filter((value) => !fits(value)) };
}

/** Sorts removed tasks, which have no position in the run. */
export function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}

function followed(task: TaskState, definition: TaskDefinition): TaskState {
  const fieldIds = new Set(definition.fields.map(({ id }) => id));
  const entries = task.entries.map((entry) => {
    return { ...entry, ...arranged(definition, [...entry.values, ...entry.setAside]) };
  });
  return {
    ...withMigratedValues(task, entries),
    definition,
    hiddenFieldIds: task.hiddenFieldIds.filter((id) => fieldIds.has(id)),
    retiredFromVersionId: null,
    removedAt: null,
  };
}
