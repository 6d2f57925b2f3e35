import type { ProcessDocument } from '../process.ts';

/** An independent copy of a document: every part gets a new id, and references between parts are updated. */
export function duplicateDocument(document: ProcessDocument, newId: () => string): ProcessDocument {
  const phaseIds = new Map<string | null, string>();
  const phases = document.phases.map((phase) => {
    const id = newId();
    phaseIds.set(phase.id, id);
    return { ...phase, id };
  });
  return {
    phases,
    tasks: document.tasks.map((task) => ({
      ...task,
      id: newId(),
      phaseId: phaseIds.get(task.phaseId) ?? null,
      fields: task.fields.map((field) => ({ ...field, id: newId() })),
    })),
    variables: document.variables.map((variable) => ({ ...variable, id: newId() })),
  };
}
