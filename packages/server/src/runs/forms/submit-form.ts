import type { Body, Contract, Response } from '@runward/contract';
import { formEntryId, type FormTarget, type Rejection } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { newId } from '../../ids.ts';
import { changeRun } from '../change/change-run.ts';
import { presentEntry } from '../read/present-run.ts';
import { entryIn } from './entry-in.ts';
import { filledIn, messagesOf, pathInList, valuesOf } from './submit-values.ts';

type SubmitForm = Contract['execution']['submitForm'];

/**
 * Opens an entry if necessary, submits values and completes the entry, in one change. Throws a 404, 403 or 400, as the
 * first rejected step would.
 */
export async function submitForm(context: RequestContext, body: Body<SubmitForm>): Promise<Response<SubmitForm>> {
  const { values, complete, idempotencyKey = null } = body;
  const form = targetOf(body);
  const completion = complete ? { idempotencyKey } : null;
  const { userId } = context.actor;
  const command = { type: 'submitForm', form, values: valuesOf(values), completion, userId } as const;
  const { before, state } = await changeRun(context, form, command, messageOf);
  const { task, entry } = entryIn(state, formEntryId(before, command));
  const known = new Set(before.tasks.flatMap(({ entries }) => entries.flatMap((one) => one.values)));
  const isReplay = before === state;
  return {
    entry: presentEntry(task, entry),
    // All values of one change have the same time.
    autoFilledFields: filledIn(entry, (value) =>
      isReplay ? value.submittedAt === entry.completedAt : !known.has(value),
    ),
    taskStatus: task.status,
  };
}

/** The contract accepts exactly one of both. */
function targetOf({ runTaskId, executionEntryId: entryId = '' }: Body<SubmitForm>): FormTarget {
  return runTaskId === undefined ? { entryId } : { runTaskId, newEntryId: newId() };
}

/**
 * A client that calls each step separately would have submitted the values before the approval was found missing. Here,
 * nothing was submitted.
 */
function messageOf(rejection: Rejection): string | string[] {
  const messages = messagesOf(rejection, pathInList);
  if (rejection.code !== 'approval_pending' && rejection.code !== 'approval_missing') return messages;
  return `${rejection.message} Nothing was changed; with complete: false, the values are submitted and the approval is requested.`;
}
