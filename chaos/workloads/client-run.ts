import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '@runward/testing/random';
import { fact } from '../history/history.ts';
import { approvalSteps, type ApprovalSteps, type Write } from './approval-steps.ts';
import type { Caller } from './client.ts';
import { fileSteps, type FileSteps } from './file-steps.ts';
import type { Template } from './prepare.ts';

/** What a client works with. */
export interface ClientContext {
  readonly caller: Caller;
  readonly template: Template;
  readonly random: Random;
}

/** A run that only one client changes. The client therefore knows which facts each response promises. */
export interface ClientRun extends ApprovalSteps, FileSteps {
  /** Completes `Form`, `Check` or `File`. */
  complete(task: string): Promise<void>;
  /** Completes the task through its form, in one call or step by step. */
  fillIn(task: string): Promise<void>;
  /** Opens the form of the task and discards it. */
  discard(task: string): Promise<void>;
  reopenTask(task: string): Promise<void>;
  /** Sets a deadline `seconds` from now. */
  setDue(task: string, seconds: number): Promise<void>;
  /** Assigns the task to another member than before, or to the group. */
  assign(task: string): Promise<void>;
  /** Comments on the run, mentions a member and the group, and deletes the comment again if told so. */
  comment(then?: 'delete'): Promise<void>;
  /**
   * Moves the run to the first or second version. Moving it to the same version twice changes nothing, so do not do
   * that.
   */
  migrate(to: 'first' | 'second'): Promise<void>;
  cancel(): Promise<void>;
  reopen(): Promise<void>;
}

/** Launches a run. */
export async function launchRun(context: ClientContext): Promise<ClientRun> {
  const { caller, template, random } = context;
  const title = `Chaos ${randomUUID()}`;
  const { templateId, fieldId } = template;
  const { id } = await caller.write(
    { name: 'launch', title, runId: null, facts: [fact('run.started')] },
    (api, options) => api.runs.launch({ templateId, title }, options),
  );
  const { tasks } = await caller.read((api, options) => api.runs.get(id, {}, options));
  const assignees = new Map<string, string>();
  const open = new Set(tasks.filter(({ required }) => required).map(({ runTaskId }) => runTaskId));

  const idOf = (title: string) => {
    const task = tasks.find((candidate) => candidate.title === title);
    if (!task) throw new Error(`The run has no task "${title}".`);
    return task.runTaskId;
  };
  const completion = (runTaskId: string) => {
    open.delete(runTaskId);
    return [fact('task.completed', runTaskId), ...(open.size === 0 ? [fact('run.completed')] : [])];
  };
  const write: Write = async (name, facts, send, by) => {
    const result = await caller.write({ name, title, runId: id, facts, by }, send);
    await pause(random.between(50, 500));
    return result;
  };

  const openForm = (runTaskId: string) =>
    write('open form', [fact('entry.opened', runTaskId)], (api, options) => api.execution.open({ runTaskId }, options));

  return {
    ...approvalSteps(write, template, idOf('Pay')),
    ...fileSteps(write, context, idOf('Attach')),
    complete: async (task) => {
      const taskId = idOf(task);
      await write('complete task', completion(taskId), (api, options) =>
        api.runs.tasks.setStatus(taskId, { status: 'COMPLETED' }, options),
      );
    },
    fillIn: async (task) => {
      const runTaskId = idOf(task);
      if (random.next() < 0.5) {
        const values = [{ runTaskFieldId: fieldId, value: title }];
        const types = ['entry.opened', 'value.submitted', 'entry.completed'];
        const facts = [...types.map((type) => fact(type, runTaskId)), ...completion(runTaskId)];
        const body = { runTaskId, values, idempotencyKey: randomUUID() };
        await write('submit form', facts, (api, options) => api.execution.submitForm(body, options));
        return;
      }
      const entry = await openForm(runTaskId);
      const value = { executionEntryId: entry.id, runTaskFieldId: fieldId, value: title };
      await write('submit value', [fact('value.submitted', runTaskId)], (api, options) =>
        api.execution.submit(value, options),
      );
      const body = { executionEntryId: entry.id, idempotencyKey: randomUUID() };
      const facts = [fact('entry.completed', runTaskId), ...completion(runTaskId)];
      await write('complete form', facts, (api, options) => api.execution.complete(body, options));
    },
    discard: async (task) => {
      const runTaskId = idOf(task);
      const { id: entryId } = await openForm(runTaskId);
      await write('discard form', [fact('entry.discarded', runTaskId)], (api, options) =>
        api.execution.discard(entryId, options),
      );
    },
    reopenTask: async (task) => {
      const taskId = idOf(task);
      open.add(taskId);
      await write('reopen task', [fact('task.reopened', taskId)], (api, options) =>
        api.runs.tasks.setStatus(taskId, { status: 'PENDING' }, options),
      );
    },
    setDue: async (task, seconds) => {
      const taskId = idOf(task);
      const dueAt = new Date(Date.now() + seconds * 1_000).toISOString();
      await write('set due date', [fact('task.due_date_changed', taskId)], (api, options) =>
        api.runs.tasks.setDueDate(taskId, { dueAt }, options),
      );
    },
    assign: async (task) => {
      const taskId = idOf(task);
      const [first, ...others] = [...template.memberIds, template.groupId].filter((id) => id !== assignees.get(taskId));
      const to = random.pick([first ?? '', ...others]);
      assignees.set(taskId, to);
      const body = to === template.groupId ? { assigneeGroupId: to } : { assigneeId: to };
      await write('assign task', [fact('task.assigned', taskId)], (api, options) =>
        api.runs.tasks.setAssignee(taskId, body, options),
      );
    },
    comment: async (then) => {
      const groupIds = random.next() < 0.5 ? [template.groupId] : [];
      const body = { text: 'Please look.', mentions: { userIds: [random.pick(template.memberIds)], groupIds } };
      const { id: commentId } = await write('comment', [fact('comment.created')], (api, options) =>
        api.runs.comments.create(id, body, options),
      );
      if (then === 'delete')
        await write('delete comment', [fact('comment.deleted')], (api, options) =>
          api.runs.comments.delete(commentId, options),
        );
    },
    migrate: async (to) => {
      const [first, second] = template.versionIds;
      const body = { toVersionId: to === 'first' ? first : second };
      await write('migrate run', [fact('run.migrated')], (api, options) => api.runs.migrate(id, body, options));
    },
    cancel: async () => {
      await write('cancel run', [fact('run.cancelled')], (api, options) => api.runs.cancel(id, options));
    },
    reopen: async () => {
      await write('reopen run', [fact('run.reopened')], (api, options) => api.runs.reopen(id, options));
    },
  };
}
