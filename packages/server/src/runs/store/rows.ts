import {
  arranged,
  byId,
  isActive,
  leftDefinition,
  nextDeadline,
  type EntryState,
  type Fact,
  type ProcessDocument,
  type RunState,
  type TaskDefinition,
  type TaskState,
  type ValueState,
} from '@runward/engine';
import { EntryCompletionKey } from '../entities/entry-completion-key.ts';
import { Entry } from '../entities/entry.ts';
import { FieldValue } from '../entities/field-value.ts';
import { RunTask } from '../entities/run-task.ts';
import { Run } from '../entities/run.ts';
import { rowsWrittenBy } from './rows-written-by.ts';
import { tableOf, type Row, type Table } from './table.ts';

/** The row of a run. */
export type RunRow = Row<typeof Run>;

type TaskRow = Row<typeof RunTask>;
type EntryRow = Row<typeof Entry>;
type ValueRow = Row<typeof FieldValue>;
type CompletionKeyRow = Row<typeof EntryCompletionKey>;

/** The rows below the row of a run, which contain its state, by table. */
export interface StateRows {
  readonly tasks: readonly TaskRow[];
  readonly entries: readonly EntryRow[];
  readonly values: readonly ValueRow[];
  readonly completionKeys: readonly CompletionKeyRow[];
}

/** The table of runs. */
export const runTable: Table<RunRow> = tableOf(Run);

/** The tables below the table of runs, in the order in which they refer to each other. */
export const stateTables: { readonly [Name in keyof StateRows]: Table<StateRows[Name][number]> } = {
  tasks: tableOf(RunTask),
  entries: tableOf(Entry),
  values: tableOf(FieldValue),
  completionKeys: tableOf(EntryCompletionKey),
};

/** The rows of a table that a change inserts and updates. */
export interface Writes<Row> {
  readonly insert?: readonly Row[];
  readonly update?: readonly Row[];
}

/**
 * The rows that facts write, by table. They have the content of the state after the facts, and are updated if the state
 * before has them. The row of a discarded entry, which the state after does not contain, keeps its content from before
 * and gets the time of the discarding.
 */
export function rowsToWrite(
  organizationId: string,
  changes: readonly { readonly before: RunState | null; readonly after: RunState; readonly facts: readonly Fact[] }[],
): { readonly [Table in keyof StateRows]: Writes<StateRows[Table][number]> } {
  const written = changes.flatMap(({ facts }) => facts.map(rowsWrittenBy));
  const idsIn = (table: keyof StateRows) => new Set(written.flatMap((rows) => rows[table] ?? []));
  const ids = {
    tasks: idsIn('tasks'),
    entries: idsIn('entries'),
    values: idsIn('values'),
    completionKeys: idsIn('completionKeys'),
  };
  const { tasks, entries, values, completionKeys } = rowsOf(
    organizationId,
    changes.map(({ after }) => after),
    ids,
  );
  const before = rowsOf(
    organizationId,
    changes.flatMap(({ before }) => before ?? []),
    ids,
  );
  const discardedAt = new Map(
    changes.flatMap(({ facts }) =>
      facts.flatMap((fact) => (fact.type === 'entry.discarded' ? [[fact.entryId, fact.at] as const] : [])),
    ),
  );
  const discarded = before.entries.flatMap((row) => {
    const at = discardedAt.get(row.id);
    return at === undefined ? [] : [{ ...row, discardedAt: at }];
  });
  const known = new Set([...before.tasks, ...before.entries, ...before.values].map(({ id }) => id));
  const kindOf = ({ id }: { readonly id: string }) => (known.has(id) ? 'update' : 'insert');
  return {
    tasks: Object.groupBy(tasks, kindOf),
    entries: Object.groupBy([...entries, ...discarded], kindOf),
    values: Object.groupBy(values, kindOf),
    completionKeys: { insert: completionKeys },
  };
}

/** The rows of runs with these ids. */
function rowsOf(
  organizationId: string,
  runs: readonly RunState[],
  ids: { readonly [Table in keyof StateRows]: ReadonlySet<string> },
): StateRows {
  const rows = {
    tasks: [] as TaskRow[],
    entries: [] as EntryRow[],
    values: [] as ValueRow[],
    completionKeys: [] as CompletionKeyRow[],
  };
  for (const run of runs) {
    const parent = { organizationId, runId: run.id };
    for (const [position, task] of [...run.tasks, ...run.removedTasks].entries()) {
      if (ids.tasks.has(task.id)) rows.tasks.push(taskRow(task, run, parent, position));
      for (const entry of task.entries) {
        const { id: entryId, values, setAside, completionKeys } = entry;
        if (ids.entries.has(entryId)) rows.entries.push(entryRow(entry, parent, task.id));
        for (const value of [...values, ...setAside])
          if (ids.values.has(value.id)) rows.values.push(valueRow(value, parent, entryId));
        for (const idempotencyKey of completionKeys)
          if (ids.completionKeys.has(idempotencyKey))
            rows.completionKeys.push({ organizationId, idempotencyKey, entryId });
      }
    }
  }
  return rows;
}

/**
 * The row of a run. `activityCount` is the number of its facts, `activityHash` the hash of the last line of its
 * activity, `lastActivityAt` the time when it was last worked on, and `updatedAt` the time of the last fact.
 */
export function runRow(
  run: RunState,
  rest: Pick<RunRow, 'organizationId' | 'activityCount' | 'activityHash' | 'lastActivityAt' | 'updatedAt'>,
): RunRow {
  const { tasks: _, removedTasks: _r, document: _d, ...columns } = run;
  return { ...columns, ...rest, nextDeadlineAt: nextDeadline(run) };
}

/**
 * The state of a run from its rows and the document that it follows. `left` has the definitions of the tasks that this
 * does not contain, by the ids of their rows. The rows are in order: tasks by position, entries and values oldest
 * first.
 */
export function stateOf(
  run: RunRow,
  rows: StateRows,
  document: ProcessDocument,
  left: ReadonlyMap<string, TaskDefinition>,
): RunState {
  const definitions = new Map(document.tasks.map((task) => [task.id, task]));
  const keys = Map.groupBy(rows.completionKeys, ({ entryId }) => entryId);
  const values = Map.groupBy(rows.values, ({ entryId }) => entryId);
  const entries = Map.groupBy(rows.entries, ({ runTaskId }) => runTaskId);
  const tasks = rows.tasks.map((row): TaskState => {
    const earlier = left.get(row.id);
    const definition = earlier ? leftDefinition(earlier) : definitions.get(row.taskId);
    if (!definition)
      throw new Error(`Run ${run.id} has a task that its template version does not contain: ${row.taskId}.`);
    const ownEntries = (entries.get(row.id) ?? []).map((entry) =>
      entryState(entry, definition, keys.get(entry.id) ?? [], values.get(entry.id) ?? []),
    );
    return taskState(row, definition, ownEntries);
  });
  return withRow(run, {
    document,
    tasks: tasks.filter(({ removedAt }) => removedAt === null),
    removedTasks: tasks.filter(({ removedAt }) => removedAt !== null).toSorted(byId),
  });
}

/** The state of a run from its row and the content of the rows below it. */
function withRow(run: RunRow, below: Pick<RunState, 'document' | 'tasks' | 'removedTasks'>): RunState {
  const {
    organizationId: _,
    activityCount: _a,
    activityHash: _h,
    lastActivityAt: _l,
    updatedAt: _u,
    nextDeadlineAt: _n,
    ...columns
  } = run;
  const { document, tasks, removedTasks } = below;
  return { ...columns, document, tasks, removedTasks };
}

function taskRow(task: TaskState, run: RunState, parent: Parent, position: number): TaskRow {
  const { definition, entries: _, ...columns } = task;
  const listed = listsTasks(run) && !task.hidden && task.removedAt === null;
  return { ...columns, ...parent, templateId: run.templateId, taskId: definition.id, position, listed };
}

/** Whether lists over several runs contain the visible tasks of a run. */
export function listsTasks(run: RunState): boolean {
  return isActive(run) && run.archivedAt === null;
}

function taskState(row: TaskRow, definition: TaskDefinition, entries: readonly EntryState[]): TaskState {
  const { organizationId: _, runId: _r, templateId: _te, taskId: _t, position: _p, listed: _l, ...columns } = row;
  return { ...columns, definition, entries };
}

function entryRow(
  { completionKeys: _, values: _v, setAside: _s, ...columns }: EntryState,
  parent: Parent,
  runTaskId: string,
): EntryRow {
  return { ...columns, ...parent, runTaskId, discardedAt: null };
}

function entryState(
  row: EntryRow,
  definition: TaskDefinition,
  keys: readonly CompletionKeyRow[],
  values: readonly ValueRow[],
): EntryState {
  const { organizationId: _, runId: _r, runTaskId: _t, discardedAt: _d, ...columns } = row;
  return {
    ...columns,
    completionKeys: keys.map(({ idempotencyKey }) => idempotencyKey),
    ...arranged(definition, values.map(valueState)),
  };
}

function valueRow({ fieldId, ...columns }: ValueState, parent: Parent, entryId: string): ValueRow {
  return { ...columns, ...parent, entryId, runTaskFieldId: fieldId };
}

function valueState({
  organizationId: _,
  runId: _r,
  entryId: _e,
  runTaskFieldId: fieldId,
  ...columns
}: ValueRow): ValueState {
  return { ...columns, fieldId };
}

type Parent = Pick<TaskRow, 'organizationId' | 'runId'>;
