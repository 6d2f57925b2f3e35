import { contract } from '@runward/contract';
import type { FormLink } from '@runward/sdk';
import { html, type Child } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { may } from '../may.ts';
import { timeTag } from '../time-tag.ts';
import type { TaskData } from './task-data.ts';

/** The most links of a task, also those that do not work any more. */
const maximumLinks = 100;

/** The links of a task: who has them, until when, whether they were used, and a button that revokes each. */
export async function renderFormLinks(request: ConsoleRequest, { task, around }: TaskData): Promise<Child> {
  const { api, visitor, now } = request;
  if (!around || !may(visitor, contract['runs.tasks'].formLinks)) return null;
  const links = await api.runs.tasks.formLinks(task.runTaskId).toArray({ limit: maximumLinks });
  if (links.length === 0) return null;
  const works = ({ revokedAt, expiresAt, userId }: FormLink) =>
    revokedAt === null && expiresAt > now.toISOString() && userId === task.assigneeId;
  return html`<section aria-labelledby="form-links">
    <h2 id="form-links">Form links</h2>
    <ul class="rows">
      ${links.map((link) => item(request, link, works(link)))}
    </ul>
  </section>`;
}

function item({ csrf, formats, visitor, now }: ConsoleRequest, link: FormLink, works: boolean): Child {
  const { id, runTaskId, email, expiresAt, revokedAt, lastUsedAt, requireCode } = link;
  const until = timeTag(formats, works ? expiresAt : (revokedAt ?? expiresAt));
  const state = works ? html`Works until ${until}${requireCode && ', with a code'}` : ended(link, until, now);
  const used = lastUsedAt === null ? 'not opened yet' : html`last opened ${timeTag(formats, lastUsedAt)}`;
  return html`<li>
    <span><bdi>${email}</bdi><br /><span class="soft">${state}; ${used}</span></span>
    ${
      works &&
      may(visitor, contract['runs.tasks'].revokeFormLink) &&
      html`<form method="post" action="${consolePaths.tasks}/${runTaskId}/form-links/${id}/revoke">
        ${csrf}
        <button type="submit" class="quiet">Revoke<span class="only-read"> the link of ${email}</span></button>
      </form>`
    }
  </li>`;
}

/** Why a link does not work any more. It works as long as the task is assigned to its guest. */
function ended({ revokedAt, expiresAt }: FormLink, at: Child, now: Date): Child {
  if (revokedAt !== null) return html`Revoked ${at}`;
  return expiresAt > now.toISOString() ? 'Ended, because the task is not assigned to this guest' : html`Expired ${at}`;
}
