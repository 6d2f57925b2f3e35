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
} as const;

/** The result of an edit that may enlarge a document; a rejection if the new document exceeds a limit. */
export function withinLimits<T>(document: ProcessDocument, value: T): Edited<T> {
  const { phases, tasks, variables } = document;
  const crowded = tasks.find((task) => task.fields.length > limits.fieldsPerTask);
  if (crowded) {
    return invalid(
      `The task "${crowded.title}" would have ${crowded.fields.length} fields, but a task can have at most ` +
        `${limits.fieldsPerTask}; use another task or remove fields first.`,
    );
  }
  const fields = tasks.flatMap((task) => task.fields);
  const counts = {
    phases: phases.length,
    tasks: tasks.length,
    fields: fields.length,
    options: fields.reduce((sum, field) => sum + field.options.length, 0),
    variables: variables.length,
  };
  for (const kind of ['phases', 'tasks', 'fields', 'options', 'variables'] as const) {
    if (counts[kind] > limits[kind]) {
      return invalid(
        `The template would have ${counts[kind]} ${kind}, but it can have at most ${limits[kind]}; remove some first.`,
      );
    }
  }
  return { document, value };
}
