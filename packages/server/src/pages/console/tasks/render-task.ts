import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { renderText, textCache } from '../../portal/render-text.ts';
import { commentsSection } from '../comments/comments-section.ts';
import { threadOfTask } from '../comments/thread.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { pathWith } from '../next-page.ts';
import { timeTag } from '../time-tag.ts';
import { renderApproval } from './approval.ts';
import { renderAssignment } from './assignment.ts';
import { renderFormLink } from './form-link.ts';
import { renderFormLinks } from './form-links.ts';
import { factsId, formId, type FormState } from './form-state.ts';
import { renderActivity, renderEarlierValues, renderEntries, renderValues } from './past.ts';
import { problemSummary, renderForm } from './render-form.ts';
import { renderShownVariables } from './shown-variables.ts';
import type { TaskData } from './task-data.ts';

const statuses = {
  PENDING: { text: 'To do', colour: 'running' },
  BLOCKED: { text: 'Blocked', colour: 'cancelled' },
  PENDING_APPROVAL: { text: 'Waiting for approval', colour: 'running' },
  COMPLETED: { text: 'Completed', colour: 'completed' },
} as const;

/** The page of a task. A form that was rejected is shown as it was sent, with what is wrong. */
export async function renderTask(
  sent: ConsoleRequest,
  data: TaskData,
  state: FormState,
  { status = 200, lost = null }: { readonly status?: number; readonly lost?: Child } = {},
): Promise<ConsoleView> {
  const { task, entry, isOpen } = data;
  // Its forms and links lead to the page, not to where one of them was sent.
  const request = { ...sent, path: `${consolePaths.tasks}/${task.runTaskId}` };
  const { formats } = request;
  // Another entry may be the newest one when the form is sent.
  const action = pathWith(request, task.repeatable ? { entry: entry?.id ?? 'new' } : {});
  const { description } = data.form;
  const main = html`${problemSummary(data, state)}${lost}
    <nav class="crumbs" aria-label="Breadcrumb">
      ${data.around ? html`<a href="${consolePaths.runs}/${task.runId}">${task.runTitle}</a>` : task.runTitle}
      <span class="soft">${task.runPublicId}</span>
    </nav>
    ${facts(request, data)}
    <div class="columns">
      <div>
        ${description !== null && html`<div class="text">${await renderText(request.em.shared(textCache), description, 2)}</div>`}
        ${renderShownVariables(request, data)}
        ${
          isOpen
            ? html`<section aria-label="Form" id="${formId}">${renderForm(request, data, state, action)}</section>`
            : html`<section aria-labelledby="answers">
                <h2 id="answers">Answers</h2>
                <p class="note">${whyClosed(data)}</p>
                ${renderValues(request, data, entry?.fieldValues ?? [])}
              </section>`
        }
        ${await renderEntries(request, data)}
        ${await commentsSection(request, threadOfTask(request, task), data.people)}
      </div>
      <div>
        ${renderApproval(request, data, action, state.messages)}${renderAssignment(request, data, action)}
        ${renderFormLink(request, data, state.messages)} ${await renderFormLinks(request, data)}
        ${renderEarlierValues(request, data)}${await renderActivity(request, data)}
      </div>
    </div>
    <p class="note">Times are in ${formats.timeZone}.</p>`;
  const hasProblem = state.problems.size + state.messages.length > 0;
  return { title: task.title, section: 'tasks', main, status, hasProblem };
}

function facts({ formats, now }: ConsoleRequest, { task, people, around }: TaskData): Markup {
  const { text, colour } = statuses[task.status];
  const assignee = task.assigneeId ?? task.assigneeGroupId;
  const isOverdue = task.deadlineAt !== null && task.status !== 'COMPLETED' && task.deadlineAt < now.toISOString();
  return html`<dl class="tiles facts" id="${factsId}">
    <div>
      <dt>Status</dt>
      <dd class="status ${colour}">${text}</dd>
    </div>
    <div>
      <dt>Deadline</dt>
      <dd class="${isOverdue && 'overdue'}">
        ${task.deadlineAt === null ? 'None' : timeTag(formats, task.deadlineAt)}${isOverdue && ' (overdue)'}
      </dd>
    </div>
    <div>
      <dt>Assigned to</dt>
      <dd>${assignee === null ? 'Nobody' : people.nameOf(assignee)}</dd>
    </div>
    ${
      task.status === 'BLOCKED' &&
      html`<div>
        <dt>Waits for</dt>
        <dd>
          ${
            around
              ? around.run.tasks
                  .filter(({ runTaskId }) => task.blockedBy.includes(runTaskId))
                  .map(({ title }) => title)
                  .join(', ')
              : 'Other tasks of the run'
          }
        </dd>
      </div>`
    }
  </dl>`;
}

/** Why the form of a task takes no answers. */
export function whyClosed({ task, entry }: TaskData): string {
  if (task.runStatus === 'CANCELLED') return 'The run was cancelled, so that the form is closed.';
  if (task.status === 'COMPLETED') return 'The task is completed.';
  if (task.runStatus === 'COMPLETED') return 'The run is completed, so that the form is closed.';
  if (task.retired) return 'The run does not contain this task any more.';
  if (task.hidden) return 'Rules hide this task, so that there is nothing to do.';
  return entry?.status === 'COMPLETED' ? 'This entry is completed.' : 'You may only read it.';
}
