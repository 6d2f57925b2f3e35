import { contract, type Response } from '@runward/contract';
import { idleHours, sessionDays } from '../../../organization/session-token.ts';
import { inWords } from '../../../words.ts';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { fact } from '../fact.ts';
import type { FormError } from '../forms/form-errors.ts';
import { textField } from '../forms/text-field.ts';
import type { Rejection } from '../forms/unless-rejected.ts';
import { chosenPage, nextPageLink } from '../next-page.ts';
import { renderTable } from '../table.ts';
import { timeTag } from '../time-tag.ts';
import { notificationForm } from './notifications.ts';
import { passkeySection } from './passkeys.ts';

type IdentityPage = Response<typeof contract.auth.identities>;
type SessionPage = Response<typeof contract.auth.sessions>;

/** The fields of the form for the password. Their names are those of the API, except the last. */
export const passwordFields = {
  currentPassword: 'Current password',
  newPassword: 'New password',
  repeatedPassword: 'New password again',
} as const;

/** The signed-in member: who they are, their password and passkeys, what they are told by mail, and their sessions. */
export async function showAccount(request: ConsoleRequest, { errors = [] }: Rejection = {}): Promise<ConsoleView> {
  const { api, formats } = request;
  const [{ user }, notifications, identities, passkeys, sessions] = await Promise.all([
    call(api, contract.auth.session),
    call(api, contract['me.notifications'].get),
    call(api, contract.auth.identities),
    call(api, contract.auth.passkeys),
    call(api, contract.auth.sessions, { query: chosenPage(request) }),
  ]);
  const main = html`<dl class="facts">
      ${fact('Name', user.name)} ${fact('Email address', user.email, { isLong: true })}
      ${fact('Role', inWords(user.role))}
    </dl>
    <p class="note">Owners and admins change names and roles.</p>
    ${request.ports.signInMethods.byPassword && passwordForm(request, errors)}
    ${passkeySection(request, passkeys, errors)} ${identityList(request, identities)}
    ${notificationForm(request, notifications)} ${sessionList(request, sessions)}
    ${nextPageLink(request, sessions.nextCursor)}
    <p class="note">Times are in ${formats.timeZone}.</p>`;
  return { title: 'Your account', section: 'account', errors, main };
}

function passwordForm({ csrf }: ConsoleRequest, errors: readonly FormError[]): Markup {
  const field = (id: keyof typeof passwordFields, hint: string | null = null) =>
    textField({
      id,
      label: passwordFields[id],
      hint,
      errors,
      attributes: html`type="password" autocomplete="${id === 'currentPassword' ? 'current-password' : 'new-password'}"`,
    });
  return html`<section aria-labelledby="password">
    <h2 id="password">Password</h2>
    <form class="form" method="post" action="${consolePaths.account}/password">
      ${csrf} ${field('currentPassword')}
      ${field('newPassword', '8 to 128 characters. A new password ends all your other sessions.')}
      ${field('repeatedPassword')}
      <div class="actions"><button type="submit">Change the password</button></div>
    </form>
  </section>`;
}

function identityList({ formats }: ConsoleRequest, { data }: IdentityPage): Markup | false {
  if (data.length === 0) return false;
  return html`<section aria-labelledby="identities">
    <h2 id="identities">Accounts you sign in with</h2>
    ${renderTable({
      caption: 'Accounts of providers',
      columns: ['Provider', 'Account', 'Linked', 'Last used'],
      rows: data.map(({ provider, issuer, subject, createdAt, lastUsedAt }) => [
        provider ?? issuer,
        subject,
        timeTag(formats, createdAt),
        timeTag(formats, lastUsedAt),
      ]),
    })}
    <p class="note">An administrator can unlink them.</p>
  </section>`;
}

function sessionList(request: ConsoleRequest, { data, total }: SessionPage): Markup {
  const { csrf } = request;
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">Where you are signed in</h2>
    <p class="soft">
      A session lasts ${sessionDays} days, or ends after ${idleHours} hours without use. End each one that you do not
      know.
    </p>
    ${renderTable({
      caption: 'Your sessions',
      columns: ['Signed in', 'Last used', 'Ends', 'Action'],
      rows: data.map((session) => row(request, session)),
    })}
    ${
      total > 1 &&
      html`<form class="actions" method="post" action="${consolePaths.account}/sessions/end-others">
        ${csrf}
        <button type="submit" class="quiet">End all other sessions</button>
      </form>`
    }
  </section>`;
}

function row({ formats, csrf }: ConsoleRequest, session: SessionPage['data'][number]): Child[] {
  const { id, createdAt, lastUsedAt, expiresAt, isCurrent } = session;
  return [
    timeTag(formats, createdAt),
    timeTag(formats, lastUsedAt),
    timeTag(formats, expiresAt),
    isCurrent
      ? html`<span class="badge">This session</span>`
      : html`<form method="post" action="${consolePaths.account}/sessions/${id}/end">
          ${csrf}
          <button type="submit" class="quiet">
            End<span class="only-read"> the session of ${formats.time(createdAt)}</span>
          </button>
        </form>`,
  ];
}
