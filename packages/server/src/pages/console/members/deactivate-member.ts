import { contract } from '@runward/contract';
import type { User } from '@runward/sdk';
import { html, type Child } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { formErrors } from '../forms/form-errors.ts';
import type { Rejection } from '../forms/unless-rejected.ts';
import { loadPeople } from '../people.ts';
import { mayManage } from './member-fields.ts';

/** Asks whether to deactivate a member, says what happens, and offers to hand over their tasks. */
export async function confirmDeactivation(request: ConsoleRequest, rejection: Rejection = {}): Promise<ConsoleView> {
  const { api, params, csrf, path, formats } = request;
  const [member, open] = await Promise.all([
    api.users.get(params['id'] ?? ''),
    call(api, contract.users.openTasks, { params, query: { limit: 1 } }),
  ]);
  const tasks = open.total === 1 ? '1 open task is' : `${formats.number(open.total)} open tasks are`;
  const main = html`<p>
      <strong><bdi>${member.name}</bdi></strong> can no longer sign in. All their sessions end, and API keys that they
      created are rejected. Their history stays. You can reactivate them later.
    </p>
    <p>${open.total === 0 ? 'No open task is' : tasks} assigned to them directly.</p>
    <form class="form" method="post" action="${path}">
      ${csrf} ${open.total > 0 && (await handOverField(request, member))}
      <div class="actions">
        <button type="submit">Deactivate the member</button>
        <a class="button quiet" href="${consolePaths.members}/${member.id}">Cancel</a>
      </div>
    </form>`;
  return { title: 'Deactivate this member?', section: 'members', main, ...rejection };
}

/** Hands over the tasks of a member if asked to, then deactivates them. */
export async function deactivateMember(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, params, form: sent } = request;
  const [kind, id = ''] = (sent.get('to') ?? '').split(':');
  try {
    const member = await api.users.get(params['id'] ?? '');
    // Otherwise the tasks would be handed over although the deactivation is rejected.
    if (id !== '' && mayManage(request, member.role) && member.id !== request.visitor.actor.userId) {
      const body = kind === 'group' ? { assigneeGroupId: id } : { assigneeId: id };
      await call(api, contract.users.handOver, { params, body });
    }
    await call(api, contract.users.delete, { params });
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    if (status === 404) throw error;
    return confirmDeactivation(request, { status, errors: formErrors(messages) });
  }
  return { redirectTo: `${consolePaths.members}/${params['id']}?notice=deactivated` };
}

async function handOverField(request: ConsoleRequest, member: User): Promise<Child> {
  const { form: sent } = request;
  const { assignable, groups } = await loadPeople(request);
  const chosen = sent.get('to') ?? '';
  const option = (value: string, text: string) =>
    html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`;
  return html`<div class="field">
    <label for="to">Assign these tasks to</label>
    <p class="hint" id="to-hint">All of them at once. The activity of each run records it.</p>
    <select id="to" name="to" aria-describedby="to-hint">
      ${option('', 'Nobody else: they stay assigned to this member')}
      <optgroup label="Members">
        ${assignable
          .filter(({ id }) => id !== member.id)
          .map(({ id, name, email }) => option(`user:${id}`, `${name}, ${email}`))}
      </optgroup>
      ${
        groups.length > 0 &&
        html`<optgroup label="Groups">${groups.map(({ id, name }) => option(`group:${id}`, name))}</optgroup>`
      }
    </select>
  </div>`;
}
