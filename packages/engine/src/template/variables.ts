import type { Formats } from '../environment.ts';
import type { ProcessDocument, VariableDefinition } from '../process.ts';
import { checkValue } from '../values.ts';
import { variableTypeOf } from '../variables.ts';
import {
  changed,
  invalid,
  marked,
  marks,
  notFound,
  partOf,
  replaced,
  without,
  type Changes,
  type Edited,
  type EditRejection,
} from './edit.ts';
import { withinLimits } from './limits.ts';

/** Changes of a flow variable. */
export type VariableChanges = Changes<Omit<VariableDefinition, 'id'>>;

/** A new flow variable. The default type is the type of its default value; everything else is null by default. */
export interface NewVariable extends VariableChanges {
  readonly key: string;
}

/** A flow variable with the defaults of a new one. */
export function newVariable(id: string, variable: NewVariable): VariableDefinition {
  const { key, defaultValue = null } = variable;
  const blank = { id, key, name: null, type: variableTypeOf(defaultValue), description: null, defaultValue };
  return marked(changed<VariableDefinition>(blank, variable), marks.variable);
}

/** Adds a flow variable. */
export function addVariable(
  document: ProcessDocument,
  id: string,
  variable: NewVariable,
  formats: Formats,
): Edited<VariableDefinition> {
  const added = newVariable(id, variable);
  return (
    rejectionOf(document, added, formats) ??
    withinLimits({ ...document, variables: [...document.variables, added] }, added)
  );
}

/** Changes a flow variable. */
export function updateVariable(
  document: ProcessDocument,
  variableId: string,
  changes: VariableChanges,
  formats: Formats,
): Edited<VariableDefinition> {
  const variable = partOf(document.variables, variableId);
  if (!variable) return notFound('Variable');
  const value = marked(changed(variable, changes), marks.variable);
  return (
    rejectionOf(document, value, formats) ?? {
      document: { ...document, variables: replaced(document.variables, value) },
      value,
    }
  );
}

/** Removes a flow variable. */
export function removeVariable(document: ProcessDocument, variableId: string): Edited<null> {
  if (!partOf(document.variables, variableId)) return notFound('Variable');
  return { document: { ...document, variables: without(document.variables, variableId) }, value: null };
}

function rejectionOf(
  { variables }: ProcessDocument,
  variable: VariableDefinition,
  formats: Formats,
): { rejection: EditRejection } | null {
  const { id, key } = variable;
  if (variables.some((other) => other.id !== id && other.key === key)) return invalid(repeatedVariableKey(key));
  const problem = defaultValueProblem(variable, formats);
  return problem === null ? null : invalid(problem);
}

/** The problem of a default value, with its path inside the variable. Null if the value fits the type. */
export function defaultValueProblem({ type, defaultValue }: VariableDefinition, formats: Formats): string | null {
  const problem = checkValue({ type }, defaultValue, formats);
  return problem === null ? null : `defaultValue: ${problem}, because the type is ${type}`;
}

/** The problem of a repeated variable key, with its path inside the variable. */
export function repeatedVariableKey(key: string): string {
  return `key: the template already has a flow variable "${key}"; choose another key`;
}
