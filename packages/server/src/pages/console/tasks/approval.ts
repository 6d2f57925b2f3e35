import { isActive } from '@runward/engine';
import { preconditionFailed } from '../../../api-error.ts';
import { html, type Child } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { fieldErrors, formErrors } from '../forms/form-errors.ts';
import { normal } from './answers.ts';
import type { TaskData } from './task-data.ts';

/** The id of the element with the approval. */
export const decisionId = 'decision';

/** The names of the statuses of approvals. */
const statuses = {
  NOT_REQUESTED: 'Not requested yet. It is requested when every required answer is saved.',
  REQUESTED: 'Waiting for a decision.',
  GRANTED: 'Approved. The task can be completed.',
  REJECTED: 'Rejected. Change an answer to request it again.',
} as const;

/** The field for a comment, by the property that the messages of the API name. */
export const commentField = { comment: 'Comment' } as const;

/**
 * The approval of a task: its state, what was decided, and the form to decide if the visitor may, with what is wrong.
 */
export function renderApproval(
  request: ConsoleRequest,
  data: TaskData,
  action: string,
  messages: readonly string[],
): Child {
  const { approval } = data.task;
  if (!approval) return null;
  const { nameOf } = data.people;
  const error = fieldErrors(formErrors(messages, commentField), 'comment');
  const described = error && html`aria-invalid="true" aria-describedby="comment-error"`;
  const comment = `\n${request.form.get('comment') ?? ''}`;
  // Scripts refresh the approval without all answers: a visitor decides on what the whole page has shown.
  const version = html`<input type="hidden" name="version" value="${data.form.runVersion}" hx-morph-skip />`;
  const approvers = [...approval.approverIds, ...approval.approverGroupIds].map(nameOf);
  return html`<section aria-labelledby="approval" id="${decisionId}">
    <h2 id="approval">Approval</h2>
    <p>${statuses[approval.status]}</p>
    <p class="soft">
      ${approvers.length === 0 ? 'Every member may decide.' : `Approvers: ${approvers.join(', ')}`}${
        approvers.length > 1 && (approval.policy === 'ALL' ? ' (all of them)' : ' (one of them)')
      }
    </p>
    ${approval.decisions.map(
      ({ userId, decision, comment: why, at }) =>
        html`<p>
          ${nameOf(userId)} ${decision === 'GRANTED' ? 'approved' : 'rejected'} on
          ${request.formats.time(at)}${why !== null && html`: <span class="said">${why}</span>`}
        </p>`,
    )}
    ${
      mayDecide(request, data) &&
      html`<form class="task-form" method="post" action="${action}">
        ${request.csrf} ${version}
        <div class="field">
          <label for="comment">Comment <span class="soft">(required to reject)</span></label>
          ${error}
          <textarea id="comment" name="comment" rows="3" maxlength="2000" ${described}>${comment}</textarea>
        </div>
        <div class="actions">
          <button type="submit" name="action" value="approve">Approve</button>
          <button type="submit" class="quiet" name="action" value="reject">Reject</button>
        </div>
      </form>`
    }
  </section>`;
}

/** Whether the visitor may decide on the approval of a task now. */
export function mayDecide({ visitor }: ConsoleRequest, { task, entry, people }: TaskData): boolean {
  const { approval } = task;
  const { userId, resourceScope } = visitor.actor;
  const groupIds =
    resourceScope.mode === 'ASSIGNED'
      ? resourceScope.groupIds
      : people.groups.filter(({ memberIds }) => memberIds.includes(userId)).map(({ id }) => id);
  if (approval?.status !== 'REQUESTED' || task.hidden || !isActive({ status: task.runStatus })) return false;
  const { approverIds, approverGroupIds, allowSelfApproval, decisions } = approval;
  const isApprover =
    approverIds.length + approverGroupIds.length === 0 ||
    approverIds.includes(userId) ||
    approverGroupIds.some((id) => groupIds.includes(id));
  const workers = [
    entry?.createdByUserId,
    ...(entry?.fieldValues.map(({ submittedByUserId }) => submittedByUserId) ?? []),
  ];
  return (
    isApprover &&
    (allowSelfApproval || !workers.includes(userId)) &&
    decisions.every((decision) => decision.userId !== userId)
  );
}

/** Decides on the approval that the visitor has read, and returns the notice to show. */
export async function decide(
  { api, form }: ConsoleRequest,
  { task, form: { runVersion: version } }: TaskData,
  decision: string,
): Promise<string> {
  if (form.get('version') !== version) {
    throw preconditionFailed('The run was changed meanwhile. Check what is shown now, then decide again.');
  }
  const comment = normal(form.get('comment') ?? '').trim();
  const options = { ifMatch: version };
  if (decision === 'reject') {
    await api.runs.tasks.reject(task.runTaskId, { comment }, options);
    return 'rejected';
  }
  await api.runs.tasks.approve(task.runTaskId, comment === '' ? {} : { comment }, options);
  return 'approved';
}
