import type { ProcessDocument, VariableDefinition, VariableValue } from '../process.ts';
import { changed, invalid, notFound, partOf, replaced, without, type Edited, type EditRefusal } from './edit.ts';
import { grown } from './limits.ts';

/** Changes of a flow variable; what is not named stays. */
export interface VariableChanges {
  readonly key?: string | undefined;
  readonly description?: string | null | undefined;
  readonly defaultValue?: VariableValue | undefined;
}

/** What a new flow variable says; the rest is null. */
export interface NewVariable extends VariableChanges {
  readonly key: string;
}

/** Adds a flow variable. */
export function addVariable(document: ProcessDocument, id: string, variable: NewVariable): Edited<VariableDefinition> {
  const added = changed<VariableDefinition>({ id, key: variable.key, description: null, defaultValue: null }, variable);
  return keyTaken(document, added) ?? grown({ ...document, variables: [...document.variables, added] }, added);
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
    keyTaken(document, value) ?? { document: { ...document, variables: replaced(document.variables, value) }, value }
  );
}

/** Removes a flow variable. */
export function removeVariable(document: ProcessDocument, variableId: string): Edited<null> {
  if (!partOf(document.variables, variableId)) return notFound('Variable');
  return { document: { ...document, variables: without(document.variables, variableId) }, value: null };
}

function keyTaken({ variables }: ProcessDocument, { id, key }: VariableDefinition): { rejection: EditRefusal } | null {
  return variables.some((other) => other.id !== id && other.key === key)
    ? invalid(`key: the template has another flow variable "${key}"; choose a different key.`)
    : null;
}
