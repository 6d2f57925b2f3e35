import { ApiError } from '../../api-error.ts';
import { findUsableLink, openForm } from '../../runs/form-links/open-form.ts';
import { sendCode } from '../../runs/form-links/send-code.ts';
import type { UsableFormLink } from '../../runs/queries/find-form-link.ts';
import { codeMinutes } from '../../runs/queries/form-link-codes.ts';
import { html, type Child } from '../html.ts';
import type { HtmlPage, PageRequest, PageResponse } from '../page.ts';
import { consolePaths } from '../paths.ts';
import { plainPage } from '../plain-page.ts';
import { formToken, isOwnForm, outOfDate } from './form-token.ts';

/** Where a form link leads. Mail programs open links by themselves, so this starts no session. */
export async function showFormLink(request: PageRequest): Promise<HtmlPage> {
  const link = await findUsableLink(request, tokenOf(request));
  return link ? question(request, link) : unusable();
}

/** Mails a code, or starts a session for the form, and leads to it. */
export async function submitFormLink(request: PageRequest): Promise<PageResponse> {
  const token = tokenOf(request);
  const link = await findUsableLink(request, token);
  if (!link) return unusable();
  if (!isOwnForm(request)) return question(request, link, { status: 403, problem: outOfDate });
  try {
    if (link.requireCode && request.form.get('action') === 'send') {
      await sendCode(request, link, token);
      return { redirectTo: request.path };
    }
    const code = (request.form.get('code') ?? '').replaceAll(/\s/g, '');
    if (await openForm(request, link, { token, code })) {
      return { redirectTo: `${consolePaths.tasks}/${link.runTaskId}` };
    }
  } catch (error) {
    if (!(error instanceof ApiError) || !link.requireCode) throw error;
    if (typeof error.cause === 'string') request.report(error.cause);
    return question(request, link, { status: error.status, problem: [error.messages].flat().join(' ') });
  }
  // The same for a code that is wrong, was used, or has expired, so that nobody learns which.
  const problem = 'The code is wrong or does not work any more. Enter the newest one, or have another one sent.';
  return question(request, { ...link, awaitsCode: true }, { status: 400, problem });
}

const tokenOf = ({ params }: PageRequest): string => params['token'] ?? '';

function question(
  request: PageRequest,
  { organizationName, name, requireCode, awaitsCode }: UsableFormLink,
  { status = 200, problem }: { readonly status?: number; readonly problem?: string } = {},
): HtmlPage {
  const open = html`${requireCode && codeField(problem)}
    <p class="hint">If you are signed in to Runward in this browser, you are signed out.</p>
    <button type="submit">Open the form</button>`;
  const send = html`<p class="hint">
      A code of 6 digits is sent to the email address that this link is for. Enter it on this page.
    </p>
    <button type="submit" name="action" value="send" class="${awaitsCode && 'quiet'}">
      ${awaitsCode ? 'Send another code' : 'Send code'}
    </button>`;
  const main = html`<p>
      <strong><bdi>${organizationName}</bdi></strong> asks <strong><bdi>${name}</bdi></strong> to fill in a form.
    </p>
    ${problem !== undefined && html`<p class="problem" role="alert" id="problem">${problem}</p>`}
    ${(!requireCode || awaitsCode) && form(request, open)} ${requireCode && form(request, send)}`;
  const hasProblem = problem !== undefined;
  return plainPage({ title: 'A form for you', hasProblem, main, status, hidesPath: true });
}

function form(request: PageRequest, content: Child): Child {
  return html`<form class="form" method="post" action="${request.path}">
    <input type="hidden" name="csrf" value="${formToken(request)}" />
    ${content}
  </form>`;
}

function codeField(problem: string | undefined): Child {
  return html`<div class="field">
    <label for="code">Code</label>
    <p class="hint" id="code-hint">
      6 digits, from the mail that was sent to you. They work once, within ${codeMinutes} minutes.
    </p>
    <input
      id="code"
      name="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      pattern="\\s*([0-9]\\s*){6}"
      required
      autofocus
      aria-describedby="${problem === undefined ? 'code-hint' : 'problem code-hint'}"
      ${problem !== undefined && html`aria-invalid="true"`}
    />
  </div>`;
}

/** The same for every token that is of no use, so that nobody learns why. */
function unusable(): HtmlPage {
  const main = html`<p>
    It was revoked, has expired, or the form was given to somebody else. Ask who sent it for a new one.
  </p>`;
  return plainPage({ title: 'This link does not work', main, status: 404, hidesPath: true });
}
