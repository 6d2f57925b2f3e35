import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { fieldValue } from '../templates/field-types.ts';
import { id } from '../values.ts';
import { entry, rowLabel } from './entry.ts';
import { completionRejections, formRejections, taskRejections } from './rejections.ts';
import { taskStatus } from './tasks.ts';

const autoFilledField = z
  .strictObject({
    runTaskFieldId: id.meta({ description: 'The field whose value was derived.' }),
    fieldValueId: id.meta({ description: 'Id of the value.' }),
    value: fieldValue,
  })
  .meta({ id: 'AutoFilledField', description: 'A value that the service derived.' });

const autoFilledFields = z
  .array(autoFilledField)
  .meta({ description: 'Other fields whose values the service derived from this submission.' });

/** The result of a submission. */
const submissionResult = z
  .strictObject({ autoFilledFields })
  .meta({ id: 'FieldValueSubmission', description: 'The result of a submission.' });

const submission = {
  runTaskFieldId: id.meta({ description: 'A field of the task; see `GET /templates/:id/published-fields`.' }),
  value: fieldValue.meta({ description: 'Shape by field type, see FieldValue; null clears the value.' }),
};

const submissions = z
  .array(z.strictObject(submission).meta({ id: 'FieldValueInput', description: 'A value for a field.' }))
  .max(200, 'must contain at most 200 values')
  .refine(
    (values) => new Set(values.map((value) => value.runTaskFieldId)).size === values.length,
    'must not contain a runTaskFieldId twice',
  );

const executionEntryId = id.meta({ description: 'Id of the entry.' });

/** Filling in and completing the form of a task: open, submit, complete, or all of it in one call (spec: Execution). */
export const execution = {
  open: {
    method: 'POST',
    path: '/execution/entries',
    access: 'runs:write',
    guests: true,
    summary: 'Open an entry of a task',
    description:
      'A repeatable task can have several open entries; opening one makes a completed repeatable task PENDING again. Other tasks ' +
      'have one open entry at most. Returns 400 if there is one already, the task is completed or hidden, or the run is not active.',
    body: z
      .strictObject({ runTaskId: id.meta({ description: 'A task of a run; see `GET /runs/:id`.' }) })
      .meta({ id: 'OpenEntry', description: 'The task to open an entry of.' }),
    errors: ['not_found', ...taskRejections, 'task_completed', 'entry_open', 'size_exceeded'],
    status: 201,
    response: entry,
  },
  submit: {
    method: 'POST',
    path: '/execution/field-values',
    access: 'runs:write',
    guests: true,
    summary: 'Submit a field value',
    description:
      'Replaces the previous value of the field in the entry; the history keeps it. A row for a DATA_SOURCE field fills the fields that ' +
      'the template names, and null clears what it has filled and nobody has changed since. Returns 400 if the value does not fit the field, ' +
      'or if the entry, its task or its run is not open.',
    body: z
      .strictObject({ executionEntryId, ...submission })
      .meta({ id: 'SubmitFieldValue', description: 'A value for a field of an entry.' }),
    errors: ['not_found', ...formRejections],
    status: 201,
    response: submissionResult,
  },
  submitBatch: {
    method: 'POST',
    path: '/execution/field-values/batch',
    access: 'runs:write',
    guests: true,
    summary: 'Submit several field values of an entry',
    description:
      'All or none. A field that is submitted here is not filled from a row. Returns 400 with one message per invalid value, which begins with its path, like `values[2].value`; or if the entry, ' +
      'its task or its run is not open.',
    body: z
      .strictObject({
        executionEntryId,
        values: submissions
          .min(1, 'must contain at least one value')
          .meta({ description: '1 to 200 values, each of another field.' }),
      })
      .meta({ id: 'SubmitFieldValues', description: 'Values for several fields of an entry.' }),
    errors: ['not_found', ...formRejections],
    status: 201,
    response: submissionResult,
  },
  complete: {
    method: 'POST',
    path: '/execution/entries/complete',
    access: 'runs:write',
    guests: true,
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
    errors: ['not_found', ...completionRejections],
    status: 204,
  },
  submitForm: {
    method: 'POST',
    path: '/execution/submit',
    access: 'runs:write',
    guests: true,
    summary: 'Fill in and complete a form in one call',
    description:
      'Opens an entry if needed, submits the values and completes the entry, all or nothing. The result, the events and the activity are the ' +
      'same as with the single calls. If one of them would be rejected, its error is returned and nothing changes. With ' +
      '`runTaskId`, the open entry of the task is used, or else one is opened; of a repeatable task, one is always opened. A task that needs an ' +
      'approval returns 400 until it is granted: submit its values with `complete: false`, which requests the approval, and complete it later, ' +
      'with `values: []`. Repeating a request with the same `idempotencyKey` changes nothing and returns the entry as it is now.',
    body: z
      .strictObject({
        runTaskId: id.optional().meta({ description: 'A task of a run; see `GET /runs/:id`.' }),
        executionEntryId: id.optional().meta({ description: 'An open entry, instead of a task.' }),
        values: submissions.meta({ description: '0 to 200 values, each of another field.' }),
        complete: z.boolean().default(true).meta({ description: 'Whether the entry is completed. Default: true.' }),
        idempotencyKey: id.optional().meta({
          description:
            'A UUID generated by the client for this completion. Not with `complete: false`; use the header `Idempotency-Key` there. ' +
            'Default: none.',
        }),
      })
      .refine(
        (body) => (body.runTaskId === undefined) !== (body.executionEntryId === undefined),
        'must contain exactly one of runTaskId and executionEntryId',
      )
      .refine((body) => body.complete || body.idempotencyKey === undefined, {
        path: ['idempotencyKey'],
        error: 'must not be sent with complete: false; use the header Idempotency-Key instead',
      })
      .meta({
        id: 'SubmitForm',
        description: 'The values of a form. Contains exactly one of `runTaskId` and `executionEntryId`.',
      }),
    errors: ['not_found', ...completionRejections, 'size_exceeded'],
    status: 200,
    response: z
      .strictObject({
        entry,
        autoFilledFields,
        taskStatus: taskStatus.meta({ description: 'The status of the task of the entry.' }),
      })
      .meta({ id: 'FormSubmission', description: 'The result of a form that was submitted in one call.' }),
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
    errors: ['not_found', ...taskRejections, 'entry_open'],
    status: 204,
  },
  get: {
    method: 'GET',
    path: '/execution/entries/:id',
    access: 'runs:read',
    guests: true,
    summary: 'Get an entry with its values',
    description: 'A discarded entry returns 404.',
    status: 200,
    response: entry,
  },
  discard: {
    method: 'DELETE',
    path: '/execution/entries/:id',
    access: 'runs:write',
    guests: true,
    summary: 'Discard an open entry',
    description:
      'Undoes the opening of an entry: it returns 404, is absent from lists and does not keep its task open; the activity of the run ' +
      'and the histories of its values keep it. If no other entry is open, the task is COMPLETED again if it was completed before, or if ' +
      'another entry was completed meanwhile, and a task that was the last required, visible one completes the run. Returns 400 if the ' +
      'entry, its task or its run is not open.',
    errors: [...taskRejections, 'task_completed', 'entry_completed'],
    status: 204,
  },
  entries: {
    method: 'GET',
    path: '/execution/tasks/:runTaskId',
    access: 'runs:read',
    guests: true,
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
