import type { FieldType } from '@runward/contract';
import type { ProcessDocument } from '../process.ts';
import { partOf } from './edit.ts';
import { takesOptions } from './fields.ts';

/** Every reason why a draft cannot be published, each with what to do; empty if it can be. */
export function validate(document: ProcessDocument): string[] {
  const problems: string[] = [];
  if (document.tasks.length === 0) problems.push('The template has no tasks; add at least one.');

  for (const { title, phaseId, assigneeId, assigneeGroupId, fields } of document.tasks) {
    if (phaseId !== null && !partOf(document.phases, phaseId)) {
      problems.push(`The task "${title}" is in a phase that does not exist; move it to another phase or to none.`);
    }
    if (assigneeId !== null && assigneeGroupId !== null) {
      problems.push(`The task "${title}" is assigned to both a user and a group; clear one of them.`);
    }
    for (const { label, type, options } of fields) {
      if (takesOptions(type) && options.length === 0) {
        problems.push(`The ${type} field "${label}" of the task "${title}" has no options; add at least one.`);
      }
      for (const key of repeated(options.map((option) => option.key))) {
        problems.push(`The field "${label}" of the task "${title}" repeats the option key "${key}"; remove one.`);
      }
    }
  }

  const fields = document.tasks.flatMap((task) => task.fields);
  for (const key of repeated(fields.map((field) => field.key))) {
    const labels = fields.filter((field) => field.key === key).map((field) => `"${field.label}"`);
    problems.push(`The fields ${labels.join(', ')} have the same key "${key}"; give each field its own key.`);
  }
  for (const key of repeated(document.variables.map((variable) => variable.key))) {
    problems.push(`More than one flow variable has the key "${key}"; rename or remove the others.`);
  }
  return [...problems, ...requiredButUnfillable(document)];
}

/** Files and data sources do not exist yet, so that no entry with such a required field could be completed. */
function requiredButUnfillable({ tasks }: ProcessDocument): string[] {
  const unfillable = new Set<FieldType>(['FILE_UPLOAD', 'SIGNATURE', 'IMAGE', 'DATA_SOURCE']);
  return tasks.flatMap(({ title, fields }) =>
    fields
      .filter(({ type, required }) => required && unfillable.has(type))
      .map(
        ({ label, type }) =>
          `The field "${label}" of the task "${title}" is required, but ${type} fields cannot be filled in yet; make it optional.`,
      ),
  );
}

/** The keys that occur more than once, each once. */
function repeated(keys: readonly string[]): Set<string> {
  return new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
}
