import type { ProcessDocument } from '../process.ts';
import { copiedReferences, renameInField, renamingOf } from './references.ts';

/** An independent copy of a document: every part gets a new id, and references between parts are updated. */
export function duplicateDocument(document: ProcessDocument, newId: () => string): ProcessDocument {
  const phaseIds = new Map<string | null, string>();
  const phases = document.phases.map((phase) => {
    const id = newId();
    phaseIds.set(phase.id, id);
    return { ...phase, id };
  });
  const renamed = renamingOf([...document.tasks, ...document.tasks.flatMap(({ fields }) => fields)], newId);
  return {
    phases,
    tasks: document.tasks.map((task) => ({
      ...task,
      ...copiedReferences(task, renamed, newId),
      id: renamed.task(task.id),
      phaseId: phaseIds.get(task.phaseId) ?? null,
      fields: task.fields.map((field) => ({ ...renameInField(field, renamed), id: renamed.field(field.id) })),
    })),
    variables: document.variables.map((variable) => ({ ...variable, id: newId() })),
  };
}
