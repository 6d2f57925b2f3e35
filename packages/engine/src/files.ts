import type { FieldValue } from '@runward/contract';
import type { EntryState } from './state.ts';

/** Most files of one field in one entry. */
export const maximumFiles = 20;

/** The ids of files that a value names. */
export function filesIn(value: FieldValue): string[] {
  return [value].flat().filter((id) => typeof id === 'string');
}

/** The ids of the files that are attached to a field in an entry. */
export function filesOf({ values }: EntryState, fieldId: string): string[] {
  return filesIn(values.find((value) => value.fieldId === fieldId)?.value ?? null);
}

/** The value of a field without one of its files; null if no file is left. */
export function withoutFile(value: FieldValue, fileId: string): FieldValue {
  const rest = filesIn(value).filter((id) => id !== fileId);
  return rest.length === 0 ? null : rest;
}
