import { contract } from '@runward/contract';
import { ApiError } from '../../api-error.ts';
import { signIn } from '../../organization/sign-in.ts';
import { html, type Markup } from '../html.ts';
import type { HtmlPage, PageRequest, PageResponse } from '../page.ts';
import { consolePaths, forgotPasswordPath, resumePath, signInPath } from '../paths.ts';
import { plainPage } from '../plain-page.ts';
import { emailField } from './email-field.ts';
import { formToken, isOwnForm, outOfDate } from './form-token.ts';
import { localPath } from './local-path.ts';
import { passkeyButton, passkeyScript } from './passkey-form.ts';
import { providerLinks } from './provider-links.ts';
import { carriedBy, carry, resumePage, type PendingForm } from './resume.ts';

/** The form with which members sign in. `next` of the query is where they want to go. */
export async function showSignIn(request: PageRequest): Promise<HtmlPage> {
  return signInForm(request, { next: request.query.get('next') });
}

/** The form with which members whose session has ended sign in and then send their form again. */
export function signInAgain(request: PageRequest, { action, fields }: PendingForm): HtmlPage {
  const problem = 'You are not signed in any more. Sign in to go on: what you entered is kept.';
  return signInForm(request, { next: action, pending: fields, status: 401, problem });
}

/**
 * Signs a member in and leads on to `next`, or shows the form again with what was wrong. If it carries another form, a
 * page follows that sends that one.
 */
export async function submitSignIn(request: PageRequest): Promise<PageResponse> {
  const { form } = request;
  const next = form.get('next');
  const email = form.get('email') ?? '';
  const pending = carriedBy(form);
  const again = (status: number, problem: string) => signInForm(request, { next, email, pending, status, problem });

  const visitor = form.has('isSignedIn') ? await request.findVisitor() : null;
  if (visitor) return signedIn(pending, localPath(next), visitor.csrfToken);

  // Another site must not be able to sign people in as someone else.
  if (!isOwnForm(request)) return again(403, outOfDate);
  const credentials = contract.auth.login.body.safeParse({ email, password: form.get('password') ?? '' });
  if (!credentials.success) return again(400, 'Enter your email address and your password.');
  try {
    const { csrfToken } = await signIn(request, credentials.data);
    return signedIn(pending, localPath(next), csrfToken);
  } catch (error) {
    if (error instanceof ApiError && [401, 403, 429].includes(error.status)) {
      return again(error.status, [error.messages].flat().join(' '));
    }
    throw error;
  }
}

/** Leads on, by way of the form that is carried, if there is one. */
function signedIn(pending: URLSearchParams, path: string, csrfToken: string): PageResponse {
  if (pending.size === 0 || !path.startsWith(`${consolePaths.home}/`)) return { redirectTo: path };
  const page = { title: 'You are signed in again', text: 'Continue to send what you entered.', status: 200, csrfToken };
  return resumePage({ fields: pending, action: path }, page);
}

const formId = 'sign-in';

interface FormState {
  readonly next: string | null;
  readonly email?: string;
  /** A form that is sent again after signing in. */
  readonly pending?: URLSearchParams;
  readonly status?: number;
  /** Why the form is shown again. */
  readonly problem?: string;
}

function signInForm(
  request: PageRequest,
  { next, email = '', pending = new URLSearchParams(), status = 200, problem }: FormState,
): HtmlPage {
  const { byPassword, providers } = request.ports.signInMethods;
  const isCarrying = pending.size > 0;
  const to = localPath(next);
  const form = html`<form
    class="form"
    id="${formId}"
    method="post"
    action="${isCarrying ? resumePath : signInPath}"
    ${problem !== undefined && html`aria-describedby="problem"`}
  >
    <input type="hidden" name="csrf" value="${formToken(request)}" />
    <input type="hidden" name="next" value="${to}" />
    ${carry(pending)} ${byPassword && passwordFields(email)}
    ${
      isCarrying &&
      html`<p class="note">If you came by a link to a form, open the link again in another tab, then continue here.</p>
        <button type="submit" class="quiet" name="isSignedIn" value="true" formnovalidate>
          I have signed in in another tab: continue
        </button>`
    }
  </form>`;
  const main = html`${problem !== undefined && html`<p class="problem" role="alert" id="problem">${problem}</p>`}
  ${providerLinks(providers, { next: isCarrying ? consolePaths.home : to, isCarrying })}
  ${passkeyButton({ next: to, carrying: isCarrying ? formId : null })} ${(byPassword || isCarrying) && form}
  ${
    !isCarrying &&
    to.startsWith(`${consolePaths.tasks}/`) &&
    html`<p class="note">If you came by a link to a form, open the link again.</p>`
  }
  ${
    // The way to another page would lose the form that this one carries.
    byPassword &&
    request.ports.smtp !== null &&
    !isCarrying &&
    html`<p><a href="${forgotPasswordPath}">Forgot your password?</a></p>`
  }`;
  const hasProblem = problem !== undefined;
  return plainPage({ title: 'Sign in', hasProblem, main, head: passkeyScript(), status, hasScripts: true });
}

function passwordFields(email: string): Markup {
  return html`${emailField(email, { isFirst: email === '' })}
    <div class="field">
      <label for="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        maxlength="128"
        required
        ${email !== '' && html`autofocus`}
      />
    </div>
    <button type="submit">Sign in</button>`;
}
