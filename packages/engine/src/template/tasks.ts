import type { DueRule, ProcessDocument, TaskDefinition } from '../process.ts';
import { copyTitle } from '../text.ts';
import { isAmbiguous, newApproval, type ApprovalInput } from './approvals.ts';
import { changed, invalid, notFound, partOf, replaced, type Edited, type EditRejection } from './edit.ts';
import { fieldKeys, freeKey } from './keys.ts';
import { withinLimits } from './limits.ts';
import { keptKey, partKeys, repeatedKeyProblems } from './part-keys.ts';
import { copiedReferences, renameInField, renamingOf } from './references.ts';

/** A due rule as callers send it. `hasTime` is true by default; without `remindBefore`, the organization decides. */
export interface DueRuleInput {
  readonly from: DueRule['from'];
  readonly offset: string;
  readonly hasTime?: boolean | undefined;
  readonly remindBefore?: string | undefined;
}

/** Changes of a task. Undefined leaves a property unchanged. A task has a user or a group as assignee, not both. */
export interface TaskChanges {
  readonly key?: string | null | undefined;
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly phaseId?: string | null | undefined;
  readonly required?: boolean | undefined;
  readonly repeatable?: boolean | undefined;
  readonly assigneeId?: string | null | undefined;
  readonly assigneeGroupId?: string | null | undefined;
  readonly due?: DueRuleInput | null | undefined;
  readonly approval?: ApprovalInput | null | undefined;
}

/** A new task. Defaults: required, not repeatable, everything else null. */
export interface NewTask extends TaskChanges {
  readonly title: string;
}

/** Changes of one task; `position` counts from 0 within the template. */
export interface TaskUpdate extends TaskChanges {
  readonly position?: number | undefined;
}

/** A task with the defaults of a new one, without fields. */
export function blankTask(id: string, title: string): TaskDefinition {
  return {
    id,
    title,
    description: null,
    phaseId: null,
    required: true,
    repeatable: false,
    assigneeId: null,
    assigneeGroupId: null,
    due: null,
    approval: null,
    dependencies: [],
    rules: [],
    fields: [],
  };
}

/** Adds a task without fields at the end. */
export function addTask(document: ProcessDocument, id: string, task: NewTask): Edited<TaskDefinition> {
  const result = changedTask(document, blankTask(id, task.title), task);
  if ('rejection' in result) return result;
  return withinLimits({ ...document, tasks: [...document.tasks, result.task] }, result.task);
}

/** Changes or moves a task. */
export function updateTask(
  document: ProcessDocument,
  taskId: string,
  { position, ...changes }: TaskUpdate,
): Edited<TaskDefinition> {
  const task = partOf(document.tasks, taskId);
  if (!task) return notFound('Task');
  const result = changedTask(document, task, changes);
  if ('rejection' in result) return result;
  return { document: { ...document, tasks: replaced(document.tasks, result.task, position) }, value: result.task };
}

/** Removes a task with its fields and rules, and the dependencies on it. */
export function removeTask(document: ProcessDocument, taskId: string): Edited<null> {
  if (!partOf(document.tasks, taskId)) return notFound('Task');
  return { document: { ...document, tasks: withoutTasks(document.tasks, [taskId]) }, value: null };
}

/** Removes several tasks, all or none. */
export function removeTasks(document: ProcessDocument, taskIds: readonly string[]): Edited<null> {
  const tasks = withoutTasks(document.tasks, taskIds);
  return unknownTasks(document, taskIds) ?? { document: { ...document, tasks }, value: null };
}

/** Makes the same changes to several tasks, all or none. Returns the tasks in the order of `taskIds`. */
export function updateTasks(
  document: ProcessDocument,
  taskIds: readonly string[],
  changes: TaskChanges,
): Edited<readonly TaskDefinition[]> {
  const unknown = unknownTasks(document, taskIds);
  if (unknown) return unknown;
  let { tasks } = document;
  for (const task of tasks) {
    if (!taskIds.includes(task.id)) continue;
    const result = changedTask(document, task, changes, 'changes.');
    if ('rejection' in result) return result;
    tasks = replaced(tasks, result.task);
  }
  return { document: { ...document, tasks }, value: taskIds.flatMap((id) => partOf(tasks, id) ?? []) };
}

/**
 * Copies several tasks with their fields and rules, all or none. Each copy follows its original. Returns the copies in
 * the order of `taskIds`. Fields of a copy get new keys; the copy and its rules have none. References between copied
 * parts point to the copies; other references stay.
 */
export function duplicateTasks(
  document: ProcessDocument,
  taskIds: readonly string[],
  newId: () => string,
): Edited<readonly TaskDefinition[]> {
  const unknown = unknownTasks(document, taskIds);
  if (unknown) return unknown;
  const keys = fieldKeys(document);
  const copied = document.tasks.filter((task) => taskIds.includes(task.id));
  const renamed = renamingOf([...copied, ...copied.flatMap(({ fields }) => fields)], newId);
  const copies = new Map<string, TaskDefinition>();
  const copyOf = (task: TaskDefinition): TaskDefinition => {
    const fields = task.fields.map((field) => {
      const key = freeKey(field.key, keys);
      keys.add(key);
      return { ...renameInField(field, renamed), id: renamed.field(field.id), key };
    });
    const { key: _, ...rest } = task;
    const { dependencies, rules } = copiedReferences(task, renamed, newId);
    return {
      ...rest,
      dependencies,
      rules: rules.map(({ key: _k, ...rule }) => rule),
      id: renamed.task(task.id),
      title: copyTitle(task.title),
      fields,
    };
  };
  const tasks = document.tasks.flatMap((task) => {
    if (!taskIds.includes(task.id)) return [task];
    const copy = copyOf(task);
    copies.set(task.id, copy);
    return [task, copy];
  });
  const value = taskIds.flatMap((id) => copies.get(id) ?? []);
  return withinLimits({ ...document, tasks }, value);
}

function withoutTasks(tasks: readonly TaskDefinition[], taskIds: readonly string[]): TaskDefinition[] {
  const isLeft = (id: string) => !taskIds.includes(id);
  return tasks.flatMap((task) =>
    isLeft(task.id) ? [{ ...task, dependencies: task.dependencies.filter(isLeft) }] : [],
  );
}

function changedTask(
  document: ProcessDocument,
  task: TaskDefinition,
  changes: TaskChanges,
  path = '',
): { readonly task: TaskDefinition } | { readonly rejection: EditRejection } {
  const before = partOf(document.tasks, task.id);
  const renamed = (changes.title ?? task.title) !== task.title;
  const key = keptKey({ before, given: changes.key, renamed, keys: () => partKeys(document).tasks });
  const { task: next, problems } = changeTask(document, task, { ...changes, key });
  const all = [...repeatedKeyProblems('task', next, document.tasks), ...problems];
  return all.length === 0 ? { task: next } : invalid(all.map((problem) => path + problem));
}

/** Applies changes to a task. Returns the task, and every problem with its path inside the task. */
export function changeTask(
  { phases }: Pick<ProcessDocument, 'phases'>,
  task: TaskDefinition,
  { key, due, approval, ...changes }: TaskChanges,
): { readonly task: TaskDefinition; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const { phaseId } = changes;
  if (phaseId != null && !partOf(phases, phaseId)) {
    problems.push(`phaseId: the template has no phase with the id ${phaseId}; create it first or send null`);
  }
  const rule = due && { ...due, hasTime: due.hasTime ?? true };
  const next = changed(task, {
    ...changes,
    key: key ?? undefined,
    due: rule,
    approval: approval && newApproval(approval),
  });
  if (next.assigneeId !== null && next.assigneeGroupId !== null) {
    const [named, other] =
      changes.assigneeId == null ? ['assigneeGroupId', 'assigneeId'] : ['assigneeId', 'assigneeGroupId'];
    problems.push(
      `${named}: the task "${next.title}" cannot have both a user and a group; send null as ${other} as well`,
    );
  }
  if (isAmbiguous(next)) {
    const named = approval == null ? 'repeatable' : 'approval';
    const remedy = named === 'approval' ? 'send false as repeatable as well' : 'send null as approval as well';
    problems.push(`${named}: the task "${next.title}" cannot be repeatable and have an approval; ${remedy}`);
  }
  return { task: next, problems };
}

function unknownTasks({ tasks }: ProcessDocument, taskIds: readonly string[]): { rejection: EditRejection } | null {
  const unknown = taskIds.filter((id) => !partOf(tasks, id));
  return unknown.length > 0
    ? invalid(`taskIds: the template has no task ${unknown.join(', ')}; list only tasks of its draft`)
    : null;
}
