import { contract } from '@runward/contract';
import { isActive } from '@runward/engine';
import { preconditionFailed } from '../../../api-error.ts';
import { html, type Child } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { may } from '../may.ts';
import type { TaskData } from './task-data.ts';

/** Who does a task, and the forms that change it. */
export function renderAssignment({ csrf, visitor }: ConsoleRequest, data: TaskData, action: string): Child {
  const { task, around, people } = data;
  if (!may(visitor, contract['runs.tasks'].setAssignee)) return null;
  if (!around || task.hidden || task.retired || task.status === 'COMPLETED' || !isActive(around.run)) return null;
  const { userId } = visitor.actor;
  const group = people.groups.find(({ id }) => id === task.assigneeGroupId);
  const mayTake = task.assigneeId === null && (task.assigneeGroupId === null || group?.memberIds.includes(userId));
  const current = task.assigneeGroupId === null ? `user:${task.assigneeId}` : `group:${task.assigneeGroupId}`;
  const offered = [...people.assignable, ...people.groups];
  const assignee = task.assigneeId ?? task.assigneeGroupId;
  const option = (value: string, text: string) =>
    html`<option value="${value}" ${value === current && html`selected`}>${text}</option>`;
  return html`<section aria-labelledby="assignment">
    <h2 id="assignment">Assignment</h2>
    <form method="post" action="${action}">
      ${csrf} ${mayTake && html`<button type="submit" class="quiet" name="action" value="take">Take</button>`}
      ${
        task.assigneeId === userId &&
        html`<button type="submit" class="quiet" name="action" value="release">Release</button>`
      }
    </form>
    <form method="post" action="${action}">
      ${csrf}
      <label for="assignee">Reassign to</label>
      <div class="search">
        <select id="assignee" name="assignee">
          ${option('user:null', 'Nobody')}
          ${assignee !== null && offered.every(({ id }) => id !== assignee) && option(current, people.nameOf(assignee))}
          <optgroup label="Members">${people.assignable.map(({ id, name }) => option(`user:${id}`, name))}</optgroup>
          ${
            people.groups.length > 0 &&
            html`<optgroup label="Groups">
              ${people.groups.map(({ id, name }) => option(`group:${id}`, name))}
            </optgroup>`
          }
        </select>
        <button type="submit" class="quiet" name="action" value="reassign">Reassign</button>
      </div>
    </form>
  </section>`;
}

/**
 * Changes who does a task, and returns the notice to show. A released task returns to the group of the template,
 * if it names one. Throws a 412 if somebody else has taken it meanwhile.
 */
export async function assign(
  { api, form, visitor }: ConsoleRequest,
  { task, around, people, form: { runVersion } }: TaskData,
  how: string,
): Promise<string> {
  const { userId } = visitor.actor;
  const to = async (assigneeId: string | null, assigneeGroupId: string | null, options = {}) => {
    await api.runs.tasks.setAssignee(task.runTaskId, { assigneeId, assigneeGroupId }, options);
    if (assigneeGroupId !== null) return how === 'release' ? 'released' : 'reassigned';
    if (assigneeId === null) return 'unassigned';
    return assigneeId === userId ? 'taken' : 'reassigned';
  };
  if (how === 'take') {
    if (task.assigneeId !== null && task.assigneeId !== userId) {
      throw preconditionFailed(`${people.nameOf(task.assigneeId)} has taken the task meanwhile.`);
    }
    return to(userId, null, { ifMatch: runVersion });
  }
  if (how === 'release') return to(null, around?.assigneeGroupId ?? null);
  const [kind, id = ''] = (form.get('assignee') ?? '').split(':');
  if (id === 'null') return to(null, null);
  return kind === 'group' ? to(null, id) : to(id, null);
}
