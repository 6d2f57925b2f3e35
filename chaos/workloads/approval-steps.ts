import { randomUUID } from 'node:crypto';
import type { Client, RequestOptions } from '@runward/sdk';
import { fact, type Fact } from '../history/history.ts';
import type { Intent } from './client.ts';
import type { Template } from './prepare.ts';

/** What a client and the approver do with `Pay`, the task that needs an approval. */
export interface ApprovalSteps {
  /** Opens and fills in the form, which requests the approval. */
  requestApproval(): Promise<void>;
  /** Submits another value to the open form. */
  correct(): Promise<void>;
  approve(): Promise<void>;
  reject(): Promise<void>;
  /** Discards the open form with its approval. */
  discardApproval(): Promise<void>;
  /** Completes the form. Needs the approval. */
  completeApproved(): Promise<void>;
}

/** Sends a write that promises facts, as the client or as the approver. */
export type Write = <Result>(
  name: string,
  facts: readonly Fact[],
  send: (api: Client, options: RequestOptions) => Promise<Result>,
  by?: Intent['by'],
) => Promise<Result>;

/** The steps of one run. `runTaskId` is its task `Pay`. */
export function approvalSteps(
  write: Write,
  { approvalFieldId: runTaskFieldId }: Pick<Template, 'approvalFieldId'>,
  runTaskId: string,
): ApprovalSteps {
  let entryId = '';
  let status: 'NONE' | 'REQUESTED' | 'GRANTED' | 'REJECTED' = 'NONE';

  const submit = async () => {
    const changes = {
      NONE: ['approval.requested'],
      REQUESTED: [],
      GRANTED: ['approval.invalidated', 'approval.requested'],
      REJECTED: ['approval.requested'],
    }[status];
    const facts = ['value.submitted', ...changes].map((type) => fact(type, runTaskId));
    const body = { executionEntryId: entryId, runTaskFieldId, value: randomUUID() };
    await write('submit value to approve', facts, (api, options) => api.execution.submit(body, options));
    status = 'REQUESTED';
  };

  return {
    requestApproval: async () => {
      const opened = [fact('entry.opened', runTaskId)];
      const entry = await write('open form', opened, (api, options) => api.execution.open({ runTaskId }, options));
      entryId = entry.id;
      status = 'NONE';
      await submit();
    },
    correct: submit,
    approve: async () => {
      const facts = [fact('approval.granted', runTaskId)];
      await write('approve', facts, (api, options) => api.runs.tasks.approve(runTaskId, {}, options), 'approver');
      status = 'GRANTED';
    },
    reject: async () => {
      const facts = [fact('approval.rejected', runTaskId)];
      const body = { comment: 'Not yet' };
      await write('reject', facts, (api, options) => api.runs.tasks.reject(runTaskId, body, options), 'approver');
      status = 'REJECTED';
    },
    discardApproval: async () => {
      const facts = ['entry.discarded', 'approval.invalidated'].map((type) => fact(type, runTaskId));
      await write('discard form', facts, (api, options) => api.execution.discard(entryId, options));
      status = 'NONE';
    },
    completeApproved: async () => {
      const facts = ['entry.completed', 'task.completed'].map((type) => fact(type, runTaskId));
      const body = { executionEntryId: entryId, idempotencyKey: randomUUID() };
      await write('complete form', facts, (api, options) => api.execution.complete(body, options));
    },
  };
}
