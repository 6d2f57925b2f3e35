import type { ProcessDocument } from '../process.ts';
import { partOf } from './edit.ts';
import { takesOptions } from './fields.ts';

/** Every fault that keeps a draft from being published, each with its remedy; empty where it can be published. */
export function validate(document: ProcessDocument): string[] {
  const faults: string[] = [];
  if (document.tasks.length === 0) faults.push('The template has no task; add at least one.');

  for (const { title, phaseId, assigneeId, assigneeGroupId, fields } of document.tasks) {
    if (phaseId !== null && !partOf(document.phases, phaseId)) {
      faults.push(`The task "${title}" is in a phase that does not exist; give it another phase or none.`);
    }
    if (assigneeId !== null && assigneeGroupId !== null) {
      faults.push(`The task "${title}" is assigned to both a user and a group; clear one of them.`);
    }
    for (const { label, type, options } of fields) {
      if (takesOptions(type) && options.length === 0) {
        faults.push(`The ${type} field "${label}" of the task "${title}" has no options; add at least one.`);
      }
      for (const key of repeated(options.map((option) => option.key))) {
        faults.push(`The field "${label}" of the task "${title}" repeats the option key "${key}"; remove one.`);
      }
    }
  }

  const fields = document.tasks.flatMap((task) => task.fields);
  for (const key of repeated(fields.map((field) => field.key))) {
    const labels = fields.filter((field) => field.key === key).map((field) => `"${field.label}"`);
    faults.push(`The fields ${labels.join(', ')} share the key "${key}"; give each a key of its own.`);
  }
  for (const key of repeated(document.variables.map((variable) => variable.key))) {
    faults.push(`More than one flow variable has the key "${key}"; rename or remove the others.`);
  }
  return faults;
}

/** What occurs more than once, each once. */
function repeated(keys: readonly string[]): Set<string> {
  return new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
}
