import { contract } from '@runward/contract';
import { requestReset } from '../../organization/password-links/request-reset.ts';
import { ensurePasswords } from '../../organization/sign-in.ts';
import { html } from '../html.ts';
import type { HtmlPage, PageRequest } from '../page.ts';
import { forgotPasswordPath, signInPath } from '../paths.ts';
import { plainPage } from '../plain-page.ts';
import { emailField } from './email-field.ts';
import { formToken, isOwnForm, outOfDate } from './form-token.ts';

const title = 'Forgot your password?';

/**
 * The form with which members get a link by mail. Without a mail server, it says whom to ask instead. Throws a 403 if
 * passwords are switched off.
 */
export async function showForgotPassword(request: PageRequest): Promise<HtmlPage> {
  ensurePasswords(request.ports);
  return request.ports.smtp === null ? withoutMail() : form(request, {});
}

/**
 * Mails a link to the member with an email address. The page is the same whether there is one, and does not wait: the
 * time that the mail takes would tell. Throws a 403 if passwords are switched off, and a 429
 * after too many requests.
 */
export async function submitForgotPassword(request: PageRequest): Promise<HtmlPage> {
  const { browser, ports } = request;
  ensurePasswords(ports);
  if (ports.smtp === null) return withoutMail();
  const entered = request.form.get('email') ?? '';
  if (!isOwnForm(request)) return form(request, { email: entered, status: 403, problem: outOfDate });
  const email = contract.auth.login.body.shape.email.safeParse(entered);
  if (!email.success) return form(request, { email: entered, status: 400, problem: 'Enter your email address.' });
  const isAdmitted = await ports.resetThrottle.admit(browser.address, email.data);
  if (isAdmitted) request.inBackground(requestReset(request, email.data));
  return plainPage({
    title: 'Check your mail',
    main: html`<p>
        If <strong><bdi>${email.data}</bdi></strong> belongs to an active member, a link to choose a new password is on
        its way. It works once, for 72 hours.
      </p>
      <p>
        Nothing arrives within some minutes? Look for it in the spam folder, check the address, or ask an owner or admin
        of your organization for a link.
      </p>
      <p><a href="${signInPath}">Back to signing in</a></p>`,
  });
}

function form(
  request: PageRequest,
  {
    email = '',
    status = 200,
    problem,
  }: { readonly email?: string; readonly status?: number; readonly problem?: string },
): HtmlPage {
  const main = html`<p>Enter the email address that you sign in with, and get a link to choose a new password.</p>
    ${problem !== undefined && html`<p class="problem" role="alert" id="problem">${problem}</p>`}
    <form
      class="form"
      method="post"
      action="${forgotPasswordPath}"
      ${problem !== undefined && html`aria-describedby="problem"`}
    >
      <input type="hidden" name="csrf" value="${formToken(request)}" />
      ${emailField(email, { isFirst: true })}
      <button type="submit">Mail me a link</button>
    </form>
    <p><a href="${signInPath}">Back to signing in</a></p>`;
  return plainPage({ title, hasProblem: problem !== undefined, main, status });
}

function withoutMail(): HtmlPage {
  return plainPage({
    title,
    main: html`<p>
        This service sends no mail. Ask an owner or admin of your organization for a link to choose a new one.
      </p>
      <p><a href="${signInPath}">Back to signing in</a></p>`,
  });
}
