import {
  blankTask,
  type FieldDefinition,
  type PhaseDefinition,
  type ProcessDocument,
  type TaskDefinition,
  type VariableDefinition,
} from '@runward/engine';

/** A phase with the id `phase-NAME`. */
export function phase(name: string, changes: Partial<PhaseDefinition> = {}): PhaseDefinition {
  return { id: `phase-${name}`, name, description: null, ...changes };
}

/** A required task with the id `task-TITLE`, without fields. */
export function task(title: string, changes: Partial<TaskDefinition> = {}): TaskDefinition {
  return { ...blankTask(`task-${title}`, title), ...changes };
}

/** An optional text field with the id `field-KEY`, labelled with its key. */
export function field(key: string, changes: Partial<FieldDefinition> = {}): FieldDefinition {
  return {
    id: `field-${key}`,
    key,
    label: key,
    type: 'TEXT',
    required: false,
    helpText: null,
    options: [],
    ...changes,
  };
}

/** Options with these keys. */
export function options(...keys: string[]): FieldDefinition['options'] {
  return keys.map((key) => ({ key, label: key.toUpperCase() }));
}

/** A variable with the id `variable-KEY`. */
export function variable(key: string, defaultValue: VariableDefinition['defaultValue'] = null): VariableDefinition {
  const type = typeof defaultValue === 'number' ? 'NUMBER' : typeof defaultValue === 'boolean' ? 'BOOLEAN' : 'TEXT';
  return { id: `variable-${key}`, key, name: null, type, description: null, defaultValue };
}

/** A document with these tasks. */
export function processOf(tasks: readonly TaskDefinition[], rest: Partial<ProcessDocument> = {}): ProcessDocument {
  return frozen({ phases: [], tasks, variables: [], ...rest });
}

/** Returns the value deeply frozen, so that code that changes its input throws. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}
