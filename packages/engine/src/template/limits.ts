import type { ProcessDocument } from '../process.ts';
import { invalid, type Edited } from './edit.ts';

/** Maximum sizes of a document. */
export const limits = {
  phases: 100,
  tasks: 500,
  fieldsPerTask: 100,
  fields: 2000,
  options: 5000,
  variables: 200,
  rules: 500,
  searchable: 20,
} as const;

/** A list of a document that is too long: its path, and what to do. The text has no capital and no period. */
export interface Excess {
  readonly path: string;
  readonly problem: string;
}

/** Everything in which a document exceeds a limit. */
export function excesses({ phases, tasks, variables }: ProcessDocument): Excess[] {
  const found: Excess[] = [];
  for (const [index, { title, fields }] of tasks.entries()) {
    if (fields.length <= limits.fieldsPerTask) continue;
    const problem =
      `the task "${title}" would have ${fields.length} fields, but a task can have at most ` +
      `${limits.fieldsPerTask}; use another task or remove fields first`;
    found.push({ path: `tasks[${index}].fields`, problem });
  }
  const fields = tasks.flatMap((task) => task.fields);
  const counts = {
    phases: phases.length,
    tasks: tasks.length,
    fields: fields.length,
    options: fields.reduce((sum, field) => sum + field.options.length, 0),
    variables: variables.length,
    rules: tasks.reduce((sum, task) => sum + task.rules.length, 0),
  };
  for (const kind of ['phases', 'tasks', 'fields', 'options', 'variables', 'rules'] as const) {
    if (counts[kind] <= limits[kind]) continue;
    const problem = `the template would have ${counts[kind]} ${kind}, but it can have at most ${limits[kind]}; remove some first`;
    found.push({ path: kind === 'phases' || kind === 'variables' ? kind : 'tasks', problem });
  }
  const searchable = [...fields, ...variables].filter((part) => part.searchable).length;
  if (searchable > limits.searchable) {
    const problem =
      `the template would have ${searchable} searchable fields and flow variables, but it can have at most ${limits.searchable}; make ` +
      'others not searchable first';
    found.push({ path: 'tasks', problem });
  }
  return found;
}

/** Checks an edit that may enlarge a document. Rejects it if the new document exceeds a limit. */
export function withinLimits<T>(document: ProcessDocument, value: T): Edited<T> {
  const [excess] = excesses(document);
  if (!excess) return { document, value };
  return invalid(`${excess.problem.slice(0, 1).toUpperCase()}${excess.problem.slice(1)}.`);
}
