import { contract } from '@runward/contract';
import { ApiError } from '../../api-error.ts';
import { findLink, redeemLink } from '../../organization/password-links/redeem-link.ts';
import type { UsableLink } from '../../organization/queries/find-password-link.ts';
import { html } from '../html.ts';
import type { HtmlPage, PageRequest, PageResponse } from '../page.ts';
import { consolePaths, forgotPasswordPath, signInPath } from '../paths.ts';
import { plainPage } from '../plain-page.ts';
import { formToken, isOwnForm, outOfDate } from './form-token.ts';

/** The form to which a password link leads. Mail programs open links by themselves, so this changes nothing. */
export async function showPasswordLink(request: PageRequest): Promise<HtmlPage> {
  const link = await findLink(request, tokenOf(request));
  return link ? form(request, link) : unusable(request);
}

/** Sets the password, signs the member in and leads to the console, or shows the form again with what was wrong. */
export async function submitPasswordLink(request: PageRequest): Promise<PageResponse> {
  const token = tokenOf(request);
  const link = await findLink(request, token);
  if (!link) return unusable(request);
  if (!isOwnForm(request)) return form(request, link, { status: 403, problem: outOfDate });
  const input = contract.auth.redeemPasswordLink.body.safeParse({
    token,
    password: request.form.get('password') ?? '',
  });
  if (!input.success) {
    const problem = input.error.issues.map(({ message }) => `The password ${message}.`).join(' ');
    return form(request, link, { status: 400, problem });
  }
  try {
    await redeemLink(request, input.data);
  } catch (error) {
    // Somebody else has used the link since the form was shown.
    if (error instanceof ApiError && error.status === 400) return unusable(request);
    throw error;
  }
  return { redirectTo: consolePaths.home };
}

const tokenOf = ({ params }: PageRequest): string => params['token'] ?? '';

function form(
  request: PageRequest,
  { name, email, organizationName, purpose }: UsableLink,
  { status = 200, problem }: { readonly status?: number; readonly problem?: string } = {},
): HtmlPage {
  const title = purpose === 'INVITATION' ? 'Choose a password' : 'Choose a new password';
  const main = html`<p>
      For <strong><bdi>${name}</bdi></strong> at <strong><bdi>${organizationName}</bdi></strong
      >.
    </p>
    ${problem !== undefined && html`<p class="problem" role="alert" id="problem">${problem}</p>`}
    <form class="form" method="post" action="${request.path}">
      <input type="hidden" name="csrf" value="${formToken(request)}" />
      <div class="field">
        <label for="email">Email address</label>
        <input id="email" type="email" value="${email}" autocomplete="username" readonly />
      </div>
      <div class="field">
        <label for="password">Password</label>
        <p class="hint" id="rules">
          8 to 128 characters. ${purpose === 'RESET' && 'You will be signed out everywhere else.'}
        </p>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="new-password"
          minlength="8"
          maxlength="128"
          required
          autofocus
          aria-describedby="${problem === undefined ? 'rules' : 'problem rules'}"
          ${problem !== undefined && html`aria-invalid="true"`}
        />
      </div>
      <button type="submit">Set the password and sign in</button>
    </form>`;
  return plainPage({ title, hasProblem: problem !== undefined, main, status, hidesPath: true });
}

/** The same for every token that is of no use, so that nobody learns why. */
function unusable({ ports }: PageRequest): HtmlPage {
  const main = html`<p>
      It was used, replaced or revoked, or has expired. If you have set your password already, sign in with it.
      Otherwise ask an owner or admin of your organization for a new link.
    </p>
    <p>
      <a class="button" href="${signInPath}">Sign in</a>
      ${ports.smtp !== null && html`<a class="button quiet" href="${forgotPasswordPath}">Get a new link by mail</a>`}
    </p>`;
  return plainPage({ title: 'This link does not work', main, status: 404, hidesPath: true });
}
