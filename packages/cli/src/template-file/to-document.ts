import {
  addField,
  addPhase,
  addTask,
  addVariable,
  emptyProcess,
  validate,
  type Edited,
  type ProcessDocument,
} from '@runward/engine';
import { refused } from '../errors.ts';
import type { TemplateFile } from './template-file.ts';

/**
 * The document a file describes, built with the functions the server itself uses; so a file it would refuse is refused before
 * anything is sent. A phase's id is its name, a task's its title. `publishable` also finds what would keep it
 * from being published.
 *
 * @throws CliError listing every fault
 */
export function toDocument(file: TemplateFile, path: string, publishable: boolean): ProcessDocument {
  const faults: string[] = [];
  let document = emptyProcess;
  const add = (where: string, edit: (document: ProcessDocument) => Edited<unknown>) => {
    const edited = edit(document);
    if ('rejection' in edited) faults.push(`${where}${edited.rejection.message}`);
    else ({ document } = edited);
  };

  for (const [index, variable] of file.variables.entries()) {
    add(`variables[${index}].`, (draft) => addVariable(draft, `variable ${index}`, variable));
  }
  for (const phase of file.phases) add('', (draft) => addPhase(draft, phase.name, phase));
  for (const [index, { key: _, phase, fields, ...task }] of file.tasks.entries()) {
    const phaseId = file.phases.find(({ key }) => key === phase)?.name ?? null;
    add('', (draft) => addTask(draft, task.title, { ...task, phaseId }));
    for (const [position, field] of fields.entries()) {
      add(`tasks[${index}].fields[${position}].`, (draft) =>
        addField(draft, task.title, `field ${index}.${position}`, field),
      );
    }
  }
  if (faults.length === 0 && publishable) faults.push(...validate(document));
  if (faults.length > 0) throw refused(`${path} has faults:`, ...new Set(faults));
  return document;
}
