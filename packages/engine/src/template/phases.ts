import type { PhaseDefinition, ProcessDocument } from '../process.ts';
import { changed, invalid, notFound, partOf, replaced, without, type Changes, type Edited } from './edit.ts';
import { withinLimits } from './limits.ts';
import { keptKey, partKeys, repeatedKeyProblems } from './part-keys.ts';

/** A new phase; its description is null by default. */
export interface NewPhase {
  readonly key?: string | null | undefined;
  readonly name: string;
  readonly description?: string | null | undefined;
}

/** Changes of a phase. `position` counts from 0. */
export interface PhaseChanges extends Changes<NewPhase> {
  readonly position?: number | undefined;
}

/** A phase with the defaults of a new one. */
export function newPhase(id: string, { key, name, description = null }: NewPhase): PhaseDefinition {
  return { id, ...(key != null && { key }), name, description };
}

/** Adds a phase at the end. */
export function addPhase(document: ProcessDocument, id: string, phase: NewPhase): Edited<PhaseDefinition> {
  const added = newPhase(id, phase);
  const [problem] = repeatedKeyProblems('phase', added, document.phases);
  if (problem !== undefined) return invalid(problem);
  return withinLimits({ ...document, phases: [...document.phases, added] }, added);
}

/** Changes or moves a phase. */
export function updatePhase(
  document: ProcessDocument,
  phaseId: string,
  { position, ...changes }: PhaseChanges,
): Edited<PhaseDefinition> {
  const phase = partOf(document.phases, phaseId);
  if (!phase) return notFound('Phase');
  const renamed = (changes.name ?? phase.name) !== phase.name;
  const key = keptKey({ before: phase, given: changes.key, renamed, keys: () => partKeys(document).phases });
  const value = changed(phase, { ...changes, key });
  const [problem] = repeatedKeyProblems('phase', value, document.phases);
  if (problem !== undefined) return invalid(problem);
  return { document: { ...document, phases: replaced(document.phases, value, position) }, value };
}

/** Removes a phase. Its tasks stay in the template, without a phase. */
export function removePhase(document: ProcessDocument, phaseId: string): Edited<null> {
  if (!partOf(document.phases, phaseId)) return notFound('Phase');
  const tasks = document.tasks.map((task) => (task.phaseId === phaseId ? { ...task, phaseId: null } : task));
  return { document: { ...document, phases: without(document.phases, phaseId), tasks }, value: null };
}
