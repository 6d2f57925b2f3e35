import { contract, type Response } from '@runward/contract';
import type { User } from '@runward/sdk';
import { html, type Child, type Markup } from '../../html.ts';
import { call } from '../call.ts';
import type { ConsoleRequest } from '../console-page.ts';
import type { FormError } from '../forms/form-errors.ts';
import { timeTag } from '../time-tag.ts';
import { passwordField } from './member-fields.ts';

type MemberPassword = Response<typeof contract.users.password>;

/** How a member gets a password: with a link that they open, or from the visitor. `path` is that of the member. */
export async function passwordSection(
  request: ConsoleRequest,
  member: User,
  path: string,
  errors: readonly FormError[],
): Promise<Markup> {
  const { api, csrf } = request;
  const password = await call(api, contract.users.password, { params: { id: member.id } });
  return html`<section aria-labelledby="new-password">
    <h2 id="new-password">Password</h2>
    ${member.status === 'ACTIVE' && link(request, password, path)}
    <form class="form" method="post" action="${path}/password">
      ${csrf}
      ${passwordField('8 to 128 characters. It ends all sessions of the member. Tell them the new one.', errors)}
      <div class="actions"><button type="submit" class="quiet">Set the password</button></div>
    </form>
  </section>`;
}

function link({ csrf, formats, now }: ConsoleRequest, { isSet, link }: MemberPassword, path: string): Child {
  const isOpen = link !== null && new Date(link.expiresAt) > now;
  const noun = isSet ? 'a reset link' : 'an invitation';
  const text = isSet
    ? 'With a reset link, the member chooses a new password. Until then the current one works.'
    : 'The member has no password yet. With an invitation, they choose one.';
  return html`<p>${text}</p>
    ${
      link &&
      html`<p>
        The last link was made on ${timeTag(formats, link.createdAt)}. ${isOpen ? 'It works until' : 'It expired on'}
        ${timeTag(formats, link.expiresAt)}.
      </p>`
    }
    <div class="actions">
      <form method="post" action="${path}/password-link">
        ${csrf}
        <button type="submit">${isOpen ? `Replace it by ${noun}` : `Create ${noun}`}</button>
      </form>
      ${
        isOpen &&
        html`<form method="post" action="${path}/password-link/revoke">
          ${csrf}
          <button type="submit" class="quiet">Revoke the link</button>
        </form>`
      }
    </div>
    <p>Or set a password yourself:</p>`;
}
