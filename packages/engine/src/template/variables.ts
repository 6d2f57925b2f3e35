import type { ProcessDocument, VariableDefinition, VariableValue } from '../process.ts';
import { changed, invalid, notFound, partOf, replaced, without, type Edited, type EditRejection } from './edit.ts';
import { withinLimits } from './limits.ts';

/** Changes of a flow variable; undefined leaves a property as it is. */
export interface VariableChanges {
  readonly key?: string | undefined;
  readonly description?: string | null | undefined;
  readonly defaultValue?: VariableValue | undefined;
}

/** A new flow variable; its description and default value are null by default. */
export interface NewVariable extends VariableChanges {
  readonly key: string;
}

/** A flow variable with the defaults of a new one. */
export function newVariable(id: string, variable: NewVariable): VariableDefinition {
  return changed<VariableDefinition>({ id, key: variable.key, description: null, defaultValue: null }, variable);
}

/** Adds a flow variable. */
export function addVariable(document: ProcessDocument, id: string, variable: NewVariable): Edited<VariableDefinition> {
  const added = newVariable(id, variable);
  return (
    rejectionOf(document, added) ?? withinLimits({ ...document, variables: [...document.variables, added] }, added)
  );
}

/** Changes a flow variable. */
export function updateVariable(
  document: ProcessDocument,
  variableId: string,
  changes: VariableChanges,
): Edited<VariableDefinition> {
  const variable = partOf(document.variables, variableId);
  if (!variable) return notFound('Variable');
  const value = changed(variable, changes);
  return (
    rejectionOf(document, value) ?? { document: { ...document, variables: replaced(document.variables, value) }, value }
  );
}

/** Removes a flow variable. */
export function removeVariable(document: ProcessDocument, variableId: string): Edited<null> {
  if (!partOf(document.variables, variableId)) return notFound('Variable');
  return { document: { ...document, variables: without(document.variables, variableId) }, value: null };
}

function rejectionOf(
  { variables }: ProcessDocument,
  { id, key }: VariableDefinition,
): { rejection: EditRejection } | null {
  return variables.some((other) => other.id !== id && other.key === key) ? invalid(repeatedVariableKey(key)) : null;
}

/** What is wrong with a flow variable that has the key of another one, with its path in the variable. */
export function repeatedVariableKey(key: string): string {
  return `key: the template already has a flow variable "${key}"; choose another key`;
}
