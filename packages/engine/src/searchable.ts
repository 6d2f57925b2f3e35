import type { FieldType, FieldValue, VariableType } from '@runward/contract';
import type { ProcessDocument } from './process.ts';
import { comparedAs, comparisonOf } from './rules/operators.ts';
import { newestValue, variablesOf, visibleFields, type RunState } from './state.ts';
import { caseFolded, cut } from './text.ts';
import { isFilled } from './values.ts';

/** A field or flow variable by whose values runs can be found. */
export interface SearchableSource {
  /** The id of the field, or `$` and the key of the flow variable, which no id begins with. */
  readonly source: string;
  readonly type: FieldType | VariableType;
  /** What people call it. */
  readonly name: string;
}

/**
 * A value in the form in which it is searched: a number, or a text. An option, an id, true and false begin with
 * U+0001, so that no part of them is found, and keep their case.
 */
export interface SearchKey {
  readonly source: string;
  /** Distinguishes the keys of one source: the chosen options, or a row and its label. */
  readonly position: number;
  readonly text: string | null;
  readonly number: number | null;
}

/** The length of the texts that are searched, in UTF-16 units. */
const maximumLength = 500;

/** What a document marks as searchable: its fields in order, then its flow variables. */
export function searchableSources({ tasks, variables }: ProcessDocument): SearchableSource[] {
  const fields = tasks.flatMap((task) => task.fields.filter(({ searchable }) => searchable));
  return [
    ...fields.map(({ id, type, label }) => ({ source: id, type, name: label })),
    ...variables
      .filter(({ searchable }) => searchable)
      .map(({ key, type, name }) => ({ source: sourceOfVariable(key), type, name: name ?? key })),
  ];
}

/** The source of a flow variable. */
export function sourceOfVariable(key: string): string {
  return `$${key}`;
}

/**
 * The keys by which a run is found: of its visible fields with their newest values, and of its flow variables. A value
 * of another kind, of a run whose version has the field with another type, has none.
 */
export function searchKeys(run: RunState, sources: readonly SearchableSource[]): SearchKey[] {
  if (sources.length === 0) return [];
  const wanted = new Map(sources.map((source) => [source.source, source]));
  const keys: SearchKey[] = [];
  for (const task of run.tasks) {
    if (task.hidden) continue;
    for (const { id, type } of visibleFields(task)) {
      const source = wanted.get(id);
      if (!source || comparedAs(type) !== comparedAs(source.type)) continue;
      const submitted = newestValue(task, id);
      if (submitted) keys.push(...keysOf(source, submitted.value, submitted.rowLabel));
    }
  }
  const variables = variablesOf(run);
  for (const { key, type } of run.document.variables) {
    const source = wanted.get(sourceOfVariable(key));
    if (source && comparedAs(type) === comparedAs(source.type)) keys.push(...keysOf(source, variables[key] ?? null));
  }
  return keys;
}

function keysOf({ source, type }: SearchableSource, value: FieldValue, rowLabel: string | null = null): SearchKey[] {
  if (!isFilled(value)) return [];
  if (typeof value === 'number') return [{ source, position: 0, text: null, number: value }];
  const texts = Array.isArray(value) ? value.map(exact) : [textOf(type, value)];
  const label = rowLabel === null ? [] : [folded(rowLabel)];
  return [...texts, ...label].map((text, position) => ({ source, position, text, number: null }));
}

function textOf(type: FieldType | VariableType, value: FieldValue): string {
  const text = String(value);
  switch (comparisonOf(type)) {
    case 'text':
      return folded(text);
    case 'date':
      return comparableDate(text);
    default:
      return exact(text);
  }
}

/**
 * The texts that a value equals, whatever the type of the source: a text in lower case, an exact key, or a timestamp in
 * UTC.
 */
export function textsEqualTo(value: string | boolean): string[] {
  const text = String(value);
  return [...new Set([folded(text), exact(text), comparableDate(text)])];
}

/** The text with which a date or timestamp is compared: timestamps are in UTC. Any other text is returned unchanged. */
export function comparableDate(text: string): string {
  const isTimestamp = /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text));
  return isTimestamp ? new Date(text).toISOString() : text;
}

/** What a text, or a list of options, contains: an exact key, or a part of a text in lower case. */
export function textsContaining(value: string): { readonly key: string; readonly part: string } {
  return { key: exact(value), part: folded(value) };
}

/** Begins the texts that are found only as a whole. */
export const exactMark = '\u0001';

function exact(text: string): string {
  return exactMark + text;
}

function folded(text: string): string {
  return cut(caseFolded(text), maximumLength);
}
