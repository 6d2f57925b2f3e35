import { formats } from '@runward/contract';
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
import { rejected } from '../errors.ts';
import type { TemplateFile } from './template-file.ts';

/**
 * The document that a file describes. It is built with the functions that the server uses, so that a file the server would reject is
 * rejected before anything is sent. The ID of a phase is its name, that of a task its title. `publishable` also checks what publishing
 * requires.
 *
 * @throws CliError listing every error
 */
export function toDocument(file: TemplateFile, path: string, publishable: boolean): ProcessDocument {
  const errors: string[] = [];
  let document = emptyProcess;
  const add = (prefix: string, edit: (document: ProcessDocument) => Edited<unknown>) => {
    const edited = edit(document);
    if ('rejection' in edited)
      errors.push(...[edited.rejection.message].flat().map((message) => `${prefix}${message}`));
    else ({ document } = edited);
  };

  for (const [index, variable] of file.variables.entries()) {
    add(`variables[${index}].`, (draft) => addVariable(draft, `variable ${index}`, variable, formats));
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
  if (errors.length === 0 && publishable) errors.push(...validate(document, formats));
  if (errors.length > 0) throw rejected(`${path} is invalid:`, ...new Set(errors));
  return document;
}
