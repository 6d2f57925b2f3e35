import type { Contract, FieldValue, Response } from '@runward/contract';
import type { EntryState, Rejection, SubmittedValue, ValueState } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { newId } from '../../ids.ts';
import { changeRun } from '../change/change-run.ts';
import { entryIn } from './entry-in.ts';

type Result = Response<Contract['execution']['submit']>;

/** A value as a caller submits it. */
export type Submission = { readonly runTaskFieldId: string; readonly value: FieldValue };

/** Returns the path of a part of a submission, by its position. */
type PathOf = (part: keyof Submission, index: number) => string;

const parts = { field: 'runTaskFieldId', value: 'value' } as const;

/** Submits values to an entry. Throws a 404, 403 or 400. The 400 names every invalid value by its path. */
export async function submitValues(
  context: RequestContext,
  entryId: string,
  submissions: readonly Submission[],
  pathOf: PathOf,
): Promise<Result> {
  const { userId } = context.actor;
  const command = { type: 'submitValues', entryId, values: valuesOf(submissions), userId } as const;
  const { before, state } = await changeRun(context, { entryId }, command, (rejection) =>
    messagesOf(rejection, pathOf),
  );
  const known = new Set(entryIn(before, entryId).entry.values);
  return { autoFilledFields: filledIn(entryIn(state, entryId).entry, (value) => !known.has(value)) };
}

/** The path of a part of one of several values. */
export const pathInList: PathOf = (part, index) => `values[${index}].${part}`;

/** Submissions in the engine's format. */
export function valuesOf(submissions: readonly Submission[]): SubmittedValue[] {
  return submissions.map(({ runTaskFieldId: fieldId, value }) => ({ fieldId, fieldValueId: newId(), value }));
}

/** The message of a rejection, or one message per invalid value with its path. */
export function messagesOf({ message, invalidValues }: Rejection, pathOf: PathOf): string | string[] {
  return (
    invalidValues?.map((invalid) => `${pathOf(parts[invalid.part], invalid.index)}: ${invalid.message}`) ?? message
  );
}

/**
 * The values of an entry that a submission has filled from rows. `isNew` is whether a value belongs to this submission.
 */
export function filledIn({ values }: EntryState, isNew: (value: ValueState) => boolean): Result['autoFilledFields'] {
  const filled = values.filter((value) => value.filledFrom !== null && isNew(value));
  return filled.map(({ id, fieldId, value }) => ({ runTaskFieldId: fieldId, fieldValueId: id, value }));
}
