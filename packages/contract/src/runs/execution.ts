import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { fieldValue } from '../templates/field-types.ts';
import { page, pageQuery } from '../page.ts';
import { id } from '../values.ts';

/** A form of a task that is being filled in, or was (spec: Execution entry). */
export const entry = z
  .strictObject({
    id,
    runTaskId: id,
    status: z.enum(['OPEN', 'COMPLETED']),
    createdByUserId: id,
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
    fieldValues: z.array(
      z
        .strictObject({
          id,
          runTaskFieldId: id,
          value: fieldValue,
          submittedByUserId: id,
          submittedAt: z.iso.datetime(),
        })
        .meta({ id: 'SubmittedValue' }),
    ),
  })
  .meta({ id: 'ExecutionEntry' });

/** Answer of a submission: other fields the platform derived from it. */
export const submissionResult = z
  .strictObject({ autoFilledFields: z.array(z.strictObject({ runTaskFieldId: id, value: fieldValue })) })
  .meta({ id: 'FieldValueSubmission' });

const submission = { runTaskFieldId: id, value: fieldValue };

/** Filling in and completing the form of a task: open, submit, complete (spec: Execution). */
export const execution = {
  open: {
    method: 'POST',
    path: '/execution/entries',
    access: 'runs:write',
    summary: 'Open an entry of a task',
    body: z.strictObject({ runTaskId: id }),
    status: 201,
    response: entry,
  },
  submit: {
    method: 'POST',
    path: '/execution/field-values',
    access: 'runs:write',
    summary: 'Submit one field value',
    body: z.strictObject({ executionEntryId: id, ...submission }),
    status: 201,
    response: submissionResult,
  },
  submitBatch: {
    method: 'POST',
    path: '/execution/field-values/batch',
    access: 'runs:write',
    summary: 'Submit several field values, all or none',
    body: z.strictObject({
      executionEntryId: id,
      values: z
        .array(z.strictObject(submission))
        .min(1, 'must hold at least one value')
        .max(200, 'must hold at most 200 values')
        .refine(
          (values) => new Set(values.map((value) => value.runTaskFieldId)).size === values.length,
          'must not repeat a runTaskFieldId',
        ),
    }),
    status: 201,
    response: submissionResult,
  },
  complete: {
    method: 'POST',
    path: '/execution/entries/complete',
    access: 'runs:write',
    summary: 'Complete an entry and its task',
    description: 'Sending the same idempotencyKey again answers 204 without completing twice.',
    body: z.strictObject({ executionEntryId: id, idempotencyKey: id.optional() }),
    status: 204,
  },
  reopen: {
    method: 'POST',
    path: '/execution/entries/reopen',
    access: 'runs:write',
    summary: 'Reopen a completed entry; its task is PENDING again',
    body: z.strictObject({ executionEntryId: id }),
    status: 204,
  },
  entries: {
    method: 'GET',
    path: '/execution/tasks/:runTaskId',
    access: 'runs:read',
    summary: 'List the entries of a task, newest first',
    query: pageQuery,
    status: 200,
    response: page(entry),
  },
  valueHistory: {
    method: 'GET',
    path: '/execution/field-values/:fieldValueId/history',
    access: 'runs:read',
    summary: 'Every write of a submitted value, newest first',
    query: pageQuery,
    status: 200,
    response: page(
      z
        .strictObject({ value: fieldValue, submittedByUserId: id, submittedAt: z.iso.datetime() })
        .meta({ id: 'FieldValueRevision' }),
    ),
  },
} as const satisfies Group;
