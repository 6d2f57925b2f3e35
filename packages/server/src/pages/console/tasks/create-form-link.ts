import { html } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { linkShownOnce } from '../link-shown-once.ts';
import { timeTag } from '../time-tag.ts';
import { refused } from './submit-task.ts';

/** Makes a link, and shows it, this once. */
export async function createFormLink(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, params, form, formats } = request;
  const runTaskId = params['runTaskId'] ?? '';
  try {
    const link = await api.runs.tasks.createFormLink(runTaskId, {
      email: form.get('email') ?? '',
      requireCode: form.has('requireCode'),
    });
    const main = html`${linkShownOnce(link)}
      <p class="note">
        It works until ${timeTag(formats, link.expiresAt)} (${formats.timeZone}), or until the task is assigned to
        somebody else.
        ${
          link.requireCode
            ? `It asks for a code that is mailed to ${link.email}.`
            : `Whoever has it can fill in the form as ${link.email}.`
        }
      </p>
      <p><a class="button quiet" href="${consolePaths.tasks}/${runTaskId}">Go to the task</a></p>`;
    return { title: 'The link is ready', section: 'tasks', main, status: 201 };
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    return refused(request, status, messages);
  }
}
