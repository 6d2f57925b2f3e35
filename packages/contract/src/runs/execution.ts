import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { fieldType, fieldValue } from '../templates/field-types.ts';
import { page, pageQuery } from '../page.ts';
import { id, key, title } from '../values.ts';

const entryStatus = z
  .enum(['OPEN', 'COMPLETED'])
  .meta({ id: 'EntryStatus', description: 'The status of an execution entry.' });

const rowLabel = z.string().nullable().meta({
  description:
    'What the row of a DATA_SOURCE value was called when it was submitted, also after it was deleted; else null.',
});

/** An execution entry: one filled-in form of a task (spec: Execution entry). */
export const entry = z
  .strictObject({
    id: id.meta({ description: 'Id of the entry.' }),
    runTaskId: id.meta({ description: 'The task that the entry belongs to.' }),
    status: entryStatus.meta({ description: 'Values can be submitted while the entry is OPEN.' }),
    createdByUserId: id.meta({ description: 'The member who opened the entry.' }),
    createdAt: z.iso.datetime().meta({ description: 'When the entry was opened.' }),
    completedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the entry was completed; null while it is open.' }),
    fieldValues: z
      .array(
        z
          .strictObject({
            id: id.meta({ description: 'Id of the value, the same for every submission of the field in the entry.' }),
            runTaskFieldId: id.meta({ description: 'The field that the value belongs to.' }),
            key: key.meta({ description: "Key of the field in the run's version of the template." }),
            label: title.meta({ description: "Label of the field in the run's version of the template." }),
            type: fieldType.meta({ description: 'Type of the field; determines the shape of the value.' }),
            value: fieldValue,
            rowLabel,
            submittedByUserId: id.meta({ description: 'The member who submitted the value last.' }),
            submittedAt: z.iso.datetime().meta({ description: 'When the value was submitted last.' }),
          })
          .meta({ id: 'SubmittedValue', description: 'The current value of a field in an entry.' }),
      )
      .meta({ description: 'The values submitted so far; empty when the entry is opened.' }),
  })
  .meta({ id: 'ExecutionEntry', description: 'A form of a task, filled in once.' });

const autoFilledField = z
  .strictObject({
    runTaskFieldId: id.meta({ description: 'The field whose value was derived.' }),
    fieldValueId: id.meta({ description: 'Id of the value.' }),
    value: fieldValue,
  })
  .meta({ id: 'AutoFilledField', description: 'A value that the service derived.' });

/** The result of a submission. */
export const submissionResult = z
  .strictObject({
    autoFilledFields: z
      .array(autoFilledField)
      .meta({ description: 'Other fields whose values the service derived from this submission.' }),
  })
  .meta({ id: 'FieldValueSubmission', description: 'The result of a submission.' });

const submission = {
  runTaskFieldId: id.meta({ description: 'A field of the task; see `GET /templates/:id/published-fields`.' }),
  value: fieldValue.meta({ description: 'Shape by field type, see FieldValue; null clears the value.' }),
};

const executionEntryId = id.meta({ description: 'Id of the entry.' });

/** Filling in and completing the form of a task: open, submit, complete (spec: Execution). */
export const execution = {
  open: {
    method: 'POST',
    path: '/execution/entries',
    access: 'runs:write',
    summary: 'Open an entry of a task',
    description:
      'A repeatable task can have several open entries; opening one makes a completed repeatable task PENDING again. Other tasks ' +
      'have one open entry at most. Returns 400 if there is one already, the task is completed or hidden, or the run is not active.',
    body: z
      .strictObject({ runTaskId: id.meta({ description: 'A task of a run; see `GET /runs/:id`.' }) })
      .meta({ id: 'OpenEntry', description: 'The task to open an entry of.' }),
    errors: [404],
    status: 201,
    response: entry,
  },
  submit: {
    method: 'POST',
    path: '/execution/field-values',
    access: 'runs:write',
    summary: 'Submit a field value',
    description:
      'Replaces the previous value of the field in the entry; the history keeps it. A row for a DATA_SOURCE field fills the fields that ' +
      'the template names, and null clears what it has filled and nobody has changed since. Returns 400 if the value does not fit the field, ' +
      'or if the entry, its task or its run is not open.',
    body: z
      .strictObject({ executionEntryId, ...submission })
      .meta({ id: 'SubmitFieldValue', description: 'A value for a field of an entry.' }),
    errors: [404],
    status: 201,
    response: submissionResult,
  },
  submitBatch: {
    method: 'POST',
    path: '/execution/field-values/batch',
    access: 'runs:write',
    summary: 'Submit several field values of an entry',
    description:
      'All or none. A field that is submitted here is not filled from a row. Returns 400 with one message per invalid value, which begins with its path, like `values[2].value`; or if the entry, ' +
      'its task or its run is not open.',
    body: z
      .strictObject({
        executionEntryId,
        values: z
          .array(z.strictObject(submission).meta({ id: 'FieldValueInput', description: 'A value for a field.' }))
          .min(1, 'must contain at least one value')
          .max(200, 'must contain at most 200 values')
          .refine(
            (values) => new Set(values.map((value) => value.runTaskFieldId)).size === values.length,
            'must not contain a runTaskFieldId twice',
          )
          .meta({ description: '1 to 200 values, each of another field.' }),
      })
      .meta({ id: 'SubmitFieldValues', description: 'Values for several fields of an entry.' }),
    errors: [404],
    status: 201,
    response: submissionResult,
  },
  complete: {
    method: 'POST',
    path: '/execution/entries/complete',
    access: 'runs:write',
    summary: 'Complete an entry and its task',
    description:
      'The task becomes COMPLETED once none of its entries is open. Completing the last required, visible task completes the run; ' +
      'if no visible task is required, completing the last visible task does. Returns 400 naming each required field without a ' +
      'value, or if the entry, its task or its run is not open, or the task is BLOCKED. Repeating a request with the same `idempotencyKey` returns 204 ' +
      'without completing the entry twice.',
    body: z
      .strictObject({
        executionEntryId,
        idempotencyKey: id
          .optional()
          .meta({ description: 'A UUID generated by the client for this completion. Default: none.' }),
      })
      .meta({ id: 'CompleteEntry', description: 'The entry to complete.' }),
    errors: [404],
    status: 204,
  },
  reopen: {
    method: 'POST',
    path: '/execution/entries/reopen',
    access: 'runs:write',
    summary: 'Reopen a completed entry',
    description:
      'Its task becomes PENDING again; its values stay. Returns 400 if the entry is open, if the task is not repeatable and has ' +
      'another open entry, or if the run is not active.',
    body: z.strictObject({ executionEntryId }).meta({ id: 'ReopenEntry', description: 'The entry to reopen.' }),
    errors: [404],
    status: 204,
  },
  get: {
    method: 'GET',
    path: '/execution/entries/:id',
    access: 'runs:read',
    summary: 'Get an entry with its values',
    description: 'A discarded entry returns 404.',
    status: 200,
    response: entry,
  },
  discard: {
    method: 'DELETE',
    path: '/execution/entries/:id',
    access: 'runs:write',
    summary: 'Discard an open entry',
    description:
      'Undoes the opening of an entry: it returns 404, is absent from lists and does not keep its task open; the activity of the run ' +
      'and the histories of its values keep it. If no other entry is open, the task is COMPLETED again if it was completed before, or if ' +
      'another entry was completed meanwhile, and a task that was the last required, visible one completes the run. Returns 400 if the ' +
      'entry, its task or its run is not open.',
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
    summary: 'List the submissions of a field value, newest first',
    query: pageQuery,
    status: 200,
    response: page(
      z
        .strictObject({
          value: fieldValue,
          rowLabel,
          submittedByUserId: id.meta({ description: 'The member who submitted the value.' }),
          submittedAt: z.iso.datetime().meta({ description: 'When the value was submitted.' }),
        })
        .meta({ id: 'FieldValueRevision', description: 'One submission of a field value.' }),
    ),
  },
} as const satisfies Group;
