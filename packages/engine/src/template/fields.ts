import type { FieldType } from '@runward/contract';
import { traitsOf, typesFor } from '../field-types/table.ts';
import type { FieldDefinition, LookupDefinition, ProcessDocument, TaskDefinition } from '../process.ts';
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
import { fieldKeys, freeKey, keyFrom } from './keys.ts';
import { withinLimits } from './limits.ts';

/** Changes of a field. `position` counts from 0 within the task. Null as `dataSource`: no look-up. */
export interface FieldChanges extends Changes<Omit<FieldDefinition, 'id'>> {
  readonly position?: number | undefined;
}

/** A new field. Defaults: optional, no help text, no options, a key made from the label. */
export interface NewField extends Omit<FieldChanges, 'position'> {
  readonly label: string;
  readonly type: FieldType;
}

/** Where a field moves to. Without a position, it moves to the end of the task. */
export interface FieldTarget {
  readonly targetTaskId: string;
  readonly position?: number | undefined;
}

/** Changes the lookup of a field. Undefined leaves it unchanged; null removes it. */
function withLookup(field: FieldDefinition, dataSource: LookupDefinition | null | undefined): FieldDefinition {
  if (dataSource === undefined) return field;
  const { dataSource: _, ...rest } = field;
  return dataSource === null ? rest : { ...rest, dataSource };
}

/** A field with the defaults of a new one. */
export function newField(id: string, field: NewField & { readonly key: string }): FieldDefinition {
  const { dataSource, ...rest } = field;
  const { key, label, type } = rest;
  const made = changed<FieldDefinition>({ id, key, label, type, required: false, helpText: null, options: [] }, rest);
  return withLookup(marked(made, marks.field), dataSource);
}

/** Adds a field at the end of a task. */
export function addField(
  document: ProcessDocument,
  taskId: string,
  id: string,
  field: NewField,
): Edited<FieldDefinition> {
  const task = partOf(document.tasks, taskId);
  if (!task) return notFound('Task');
  const key = field.key ?? freeKey(keyFrom(field.label), fieldKeys(document));
  const added = newField(id, { ...field, key });
  return rejectionOf(document, added, task) ?? withinLimits(withFields(document, task, [...task.fields, added]), added);
}

/** Changes a field, or moves it within its task. Changing to a type without options removes its options. */
export function updateField(
  document: ProcessDocument,
  taskId: string,
  fieldId: string,
  { position, dataSource, ...changes }: FieldChanges,
): Edited<FieldDefinition> {
  const task = partOf(document.tasks, taskId);
  if (!task) return notFound('Task');
  const field = partOf(task.fields, fieldId);
  if (!field) return notFound('Field');

  const options = changes.options ?? (traitsOf(changes.type ?? field.type).refersTo === 'option' ? field.options : []);
  const lookup =
    dataSource === undefined && changes.type !== undefined && traitsOf(changes.type).refersTo !== 'row'
      ? null
      : dataSource;
  const value = withLookup(marked(changed(field, { ...changes, options }), marks.field), lookup);
  return (
    rejectionOf(document, value, task) ??
    withinLimits(withFields(document, task, replaced(task.fields, value, position)), value)
  );
}

/** Moves a field to another task, or within its task. */
export function moveField(
  document: ProcessDocument,
  taskId: string,
  fieldId: string,
  { targetTaskId, position }: FieldTarget,
): Edited<FieldDefinition> {
  const task = partOf(document.tasks, taskId);
  if (!task) return notFound('Task');
  const field = partOf(task.fields, fieldId);
  if (!field) return notFound('Field');
  if (!partOf(document.tasks, targetTaskId)) {
    return invalid(`targetTaskId: the template has no task ${targetTaskId}; use the id of one of its tasks`);
  }

  const tasks = document.tasks.map((other) => {
    const left = other.id === taskId ? without(other.fields, fieldId) : other.fields;
    if (other.id === targetTaskId) return { ...other, fields: left.toSpliced(position ?? left.length, 0, field) };
    return other.id === taskId ? { ...other, fields: left } : other;
  });
  return withinLimits({ ...document, tasks }, field);
}

/** Removes a field. */
export function removeField(document: ProcessDocument, taskId: string, fieldId: string): Edited<null> {
  const task = partOf(document.tasks, taskId);
  if (!task) return notFound('Task');
  if (!partOf(task.fields, fieldId)) return notFound('Field');
  return { document: withFields(document, task, without(task.fields, fieldId)), value: null };
}

function withFields(document: ProcessDocument, task: TaskDefinition, fields: readonly FieldDefinition[]) {
  return { ...document, tasks: replaced(document.tasks, { ...task, fields }) };
}

function rejectionOf(
  { tasks }: ProcessDocument,
  field: FieldDefinition,
  task: TaskDefinition,
): { rejection: EditRejection } | null {
  const fields = tasks.flatMap((each) => each.fields);
  const namesake = fields.find(({ id, key }) => id !== field.id && key === field.key);
  const problems = [...fieldProblems(field, namesake), ...lookupProblems(field, task.fields)];
  return problems.length === 0 ? null : invalid(problems);
}

/**
 * Every problem of a field, with the path inside the field. `namesake` is another field of the template with the same
 * key.
 */
export function fieldProblems(field: FieldDefinition, namesake: Pick<FieldDefinition, 'label'> | undefined): string[] {
  const { key, type, options } = field;
  const { refersTo, comparison } = traitsOf(type);
  const problems: string[] = [];
  if (namesake) {
    problems.push(`key: the field "${namesake.label}" already has the key "${key}"; choose another key`);
  }
  if (refersTo === 'option' && options.length === 0) {
    problems.push(`options: a ${type} field needs at least one option; send [{ "key", "label" }]`);
  }
  if (refersTo !== 'option' && options.length > 0) {
    problems.push(`options: a ${type} field cannot have options; omit them, or use ${typesFor('option', 'or')}`);
  }
  if (field.searchable && comparison === 'presence') {
    problems.push(`searchable: runs cannot be found by a ${type} field; leave it out`);
  }
  if (field.dataSource && refersTo !== 'row') {
    problems.push(`dataSource: a ${type} field has no data source; leave it out, or use ${typesFor('row', 'or')}`);
  }
  return problems;
}

/**
 * The problems of the fields that a lookup fills, with the path inside the field. `siblings` are the fields of its
 * task.
 */
export function lookupProblems({ id, dataSource }: FieldDefinition, siblings: readonly FieldDefinition[]): string[] {
  const { autoFill = [] } = dataSource ?? {};
  return autoFill.flatMap(({ fieldId }, index) => {
    const path = `dataSource.autoFill[${index}].fieldId`;
    const target = partOf(siblings, fieldId);
    if (!target || fieldId === id) return [`${path}: no other field of the task; use the id of one of them`];
    if (traitsOf(target.type).refersTo === 'row')
      return [`${path}: a ${target.type} field cannot be filled; choose another field`];
    if (autoFill.findIndex((fill) => fill.fieldId === fieldId) < index)
      return [`${path}: an earlier entry fills the field "${target.label}" already; remove one of them`];
    return [];
  });
}
