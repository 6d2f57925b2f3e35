import type { Formats } from '../environment.ts';
import type {
  FieldDefinition,
  PhaseDefinition,
  ProcessDocument,
  TaskDefinition,
  VariableDefinition,
} from '../process.ts';
import { partOf } from './edit.ts';
import { fieldProblems, lookupProblems, newField, type NewField } from './fields.ts';
import { identify } from './identify.ts';
import { freeKey, keyFrom } from './keys.ts';
import { excesses } from './limits.ts';
import { keptKey, partKeys, repeatedKeyProblems, type PartKeys } from './part-keys.ts';
import { newPhase, type NewPhase } from './phases.ts';
import { renameInField } from './references.ts';
import { replaceLogic, type LogicInput } from './replace-logic.ts';
import { blankTask, changeTask, type NewTask } from './tasks.ts';
import { defaultValueProblem, newVariable, repeatedVariableKey, type NewVariable } from './variables.ts';

/**
 * The id of a current part, or `new:` and a name that other parts use to refer to this new part. Absent: a new part.
 */
interface Identified {
  readonly id?: string | undefined;
}

/** A task with its form. */
export interface TaskInput extends NewTask, LogicInput, Identified {
  readonly fields?: readonly (NewField & Identified)[] | undefined;
}

/** A whole document as callers send it. Lists are in the order of the template. */
export interface DocumentInput {
  readonly phases: readonly (NewPhase & Identified)[];
  readonly tasks: readonly TaskInput[];
  readonly variables: readonly (NewVariable & Identified)[];
}

/** The new document, or every problem with its path. */
export type Replaced = { readonly document: ProcessDocument } | { readonly problems: readonly string[] };

/**
 * Replaces a whole document. A part with the id of a current part keeps its identity, even a field that moves to
 * another task. A part without an id, or with a `new:` id, gets a new id. Absent properties take the default of a new
 * part, except that an existing part keeps its key.
 */
export function replaceDocument(
  current: ProcessDocument,
  wanted: DocumentInput,
  newId: () => string,
  formats: Formats,
): Replaced {
  const keys = partKeys(current);
  const phases = replacePhases(current, wanted, keys, newId);
  const tasks = replaceTasks(current, wanted, { phases, keys }, newId);
  const variables = replaceVariables(current, wanted, newId, formats);
  const parts = { phases: phases.parts, tasks: tasks.parts, variables: variables.parts };
  const logic = replaceLogic(current, parts, wanted.tasks, tasks.renaming, { keys, newId, formats });
  const { document } = logic;
  const tooLong = excesses(document).map(({ path, problem }) => `${path}: ${problem}`);
  const problems = [...phases.problems, ...tasks.problems, ...variables.problems, ...logic.problems, ...tooLong];
  return problems.length > 0 ? { problems } : { document };
}

/** The new parts of a list, the ids by name, and the problems. */
interface Parts<Part> {
  readonly parts: readonly Part[];
  readonly ids: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

function replacePhases(
  { phases }: ProcessDocument,
  wanted: DocumentInput,
  keys: PartKeys,
  newId: () => string,
): Parts<PhaseDefinition> {
  const { idAt, ids, problems } = identify('phase', phases, located('phases', wanted.phases), newId);
  const parts = wanted.phases.map((phase, index) => {
    const before = partOf(phases, idAt(index));
    const renamed = before?.name !== phase.name;
    return newPhase(idAt(index), {
      ...phase,
      key: keptKey({ before, given: phase.key, renamed, keys: () => keys.phases }),
    });
  });
  return { parts, ids, problems: [...problems, ...repeatedKeys('phase', 'phases', parts)] };
}

function repeatedKeys(kind: 'phase' | 'task', list: string, parts: readonly (PhaseDefinition | TaskDefinition)[]) {
  return parts.flatMap((part, index) =>
    repeatedKeyProblems(kind, part, parts).map((problem) => `${list}[${index}].${problem}`),
  );
}

function replaceVariables(
  { variables }: ProcessDocument,
  wanted: DocumentInput,
  newId: () => string,
  formats: Formats,
): Parts<VariableDefinition> {
  const { idAt, ids, problems } = identify('variable', variables, located('variables', wanted.variables), newId);
  const keys = new Set<string>();
  const wrong: string[] = [];
  const parts = wanted.variables.map(({ id: _, ...variable }, index) => {
    if (keys.has(variable.key)) wrong.push(`variables[${index}].${repeatedVariableKey(variable.key)}`);
    keys.add(variable.key);
    const part = newVariable(idAt(index), variable);
    const problem = defaultValueProblem(part, formats);
    if (problem !== null) wrong.push(`variables[${index}].${problem}`);
    return part;
  });
  return { parts, ids, problems: [...problems, ...wrong] };
}

function replaceTasks(
  current: ProcessDocument,
  wanted: DocumentInput,
  { phases, keys }: { readonly phases: Parts<PhaseDefinition>; readonly keys: PartKeys },
  newId: () => string,
) {
  const { idAt, ids, problems } = identify('task', current.tasks, located('tasks', wanted.tasks), newId);
  const forms = replaceFields(current, wanted, newId);
  const all = [...problems];
  const parts = wanted.tasks.map(({ id: _, fields: __, dependencies: _d, rules: _r, ...task }, index) => {
    const blank = { ...blankTask(idAt(index), task.title), fields: forms.fieldsOf(index) };
    const phaseId = task.phaseId == null ? null : (phases.ids.get(task.phaseId) ?? task.phaseId);
    const before = partOf(current.tasks, idAt(index));
    const renamed = before?.title !== task.title;
    const key = keptKey({ before, given: task.key, renamed, keys: () => keys.tasks });
    const changed = changeTask({ phases: phases.parts }, blank, { ...task, key, phaseId });
    all.push(...changed.problems.map((problem) => `tasks[${index}].${problem}`));
    return changed.task;
  });
  const renaming = { task: (id: string) => ids.get(id) ?? id, field: (id: string) => forms.ids.get(id) ?? id };
  return { parts, renaming, problems: [...all, ...repeatedKeys('task', 'tasks', parts), ...forms.problems] };
}

function replaceFields({ tasks }: ProcessDocument, wanted: DocumentInput, newId: () => string) {
  const known = tasks.flatMap(({ fields }) => fields);
  const fields = wanted.tasks.flatMap(({ fields = [] }, task) =>
    fields.map((field, index) => ({ path: `tasks[${task}].fields[${index}]`, id: field.id, task, field })),
  );
  const { idAt, ids, problems } = identify('field', known, fields, newId);
  const keyNow = new Map(known.map(({ id, key }) => [id, key]));
  const keys = fields.map(({ field }, index) => field.key ?? keyNow.get(idAt(index)));
  const taken = new Set(keys.filter((key) => key !== undefined));

  const all = [...problems];
  const byKey = new Map<string, FieldDefinition>();
  const byTask: FieldDefinition[][] = wanted.tasks.map(() => []);
  for (const [index, { path, task, field: given }] of fields.entries()) {
    const { id: _, ...field } = given;
    const key = keys[index] ?? freeKey(keyFrom(field.label), taken);
    taken.add(key);
    const part = newField(idAt(index), { ...field, key });
    all.push(...fieldProblems(part, byKey.get(key)).map((problem) => `${path}.${problem}`));
    if (!byKey.has(key)) byKey.set(key, part);
    byTask[task]?.push(part);
  }
  const renaming = { task: (id: string) => id, field: (id: string) => ids.get(id) ?? id };
  for (const [task, own] of byTask.entries()) {
    const renamed = own.map((field) => renameInField(field, renaming));
    const wrong = renamed.flatMap((field, index) =>
      lookupProblems(field, renamed).map((problem) => `tasks[${task}].fields[${index}].${problem}`),
    );
    all.push(...wrong);
    byTask[task] = renamed;
  }
  return { fieldsOf: (task: number) => byTask[task] ?? [], ids, problems: all };
}

function located(list: string, parts: readonly Identified[]) {
  return parts.map(({ id }, index) => ({ path: `${list}[${index}]`, id }));
}
