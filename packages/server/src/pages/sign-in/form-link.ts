import { findUsableLink, openForm } from '../../runs/form-links/open-form.ts';
import type { UsableFormLink } from '../../runs/queries/find-form-link.ts';
import { html, type Child } from '../html.ts';
import { layout } from '../layout.ts';
import type { HtmlPage, PageRequest, PageResponse } from '../page.ts';
import { consolePaths } from '../paths.ts';
import { formToken, isOwnForm } from './form-token.ts';

/** Where a form link leads. Mail programs open links by themselves, so this starts no session. */
export async function showFormLink(request: PageRequest): Promise<HtmlPage> {
  const link = await findUsableLink(request, request.params['token'] ?? '');
  return link ? question(request, link, 200) : unusable();
}

/** Starts a session for the form, and leads to it. */
export async function submitFormLink(request: PageRequest): Promise<PageResponse> {
  const link = await findUsableLink(request, request.params['token'] ?? '');
  if (!link) return unusable();
  if (!isOwnForm(request)) return question(request, link, 403);
  await openForm(request, link);
  return { redirectTo: `${consolePaths.tasks}/${link.runTaskId}` };
}

function question(request: PageRequest, { organizationName, name }: UsableFormLink, status: number): HtmlPage {
  const main = html`<p>
      <strong><bdi>${organizationName}</bdi></strong> asks <strong><bdi>${name}</bdi></strong> to fill in a form.
    </p>
    <form class="form" method="post" action="${request.path}">
      <input type="hidden" name="csrf" value="${formToken(request)}" />
      <p class="hint">If you are signed in to Runward in this browser, you are signed out.</p>
      <button type="submit">Open the form</button>
    </form>`;
  return page('A form for you', main, status);
}

/** The same for every token that is of no use, so that nobody learns why. */
function unusable(): HtmlPage {
  const main = html`<p>
    It was revoked, has expired, or the form was given to somebody else. Ask who sent it for a new one.
  </p>`;
  return page('This link does not work', main, 404);
}

function page(title: string, main: Child, status: number): HtmlPage {
  const content = html`<h1>${title}</h1>
    ${main}`;
  return {
    status,
    html: layout({ title, header: html`<p class="name">Runward</p>`, main: content }),
    hidesPath: true,
  };
}
