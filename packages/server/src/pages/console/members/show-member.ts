import type { User } from '@runward/sdk';
import { inWords } from '../../../words.ts';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { fact } from '../fact.ts';
import type { FormError } from '../forms/form-errors.ts';
import type { Rejection } from '../forms/unless-rejected.ts';
import { wasFields } from '../forms/was-fields.ts';
import { timeTag } from '../time-tag.ts';
import { mayManage, nameField, profileFields, roleField } from './member-fields.ts';
import { passkeySection } from './passkeys.ts';
import { passwordSection } from './password-section.ts';
import { resourceModeSection } from './resource-mode.ts';

/** A member, and the forms that change them. */
export async function showMember(request: ConsoleRequest, rejection: Rejection = {}): Promise<ConsoleView> {
  const { api, params, formats } = request;
  const member = await api.users.get(params['id'] ?? '');
  const main = html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${consolePaths.members}">All members</a></nav>
    <dl class="facts">
      ${fact('Email address', member.email, { isLong: true })} ${fact('Role', inWords(member.role))}
      ${fact('Status', inWords(member.status))} ${fact('Added', timeTag(formats, member.createdAt))}
    </dl>
    <p class="note">Times are in ${formats.timeZone}.</p>
    ${
      mayManage(request, member.role)
        ? await forms(request, member, rejection.errors ?? [])
        : html`<p class="notice">Only owners manage owners. Ask one of them to change this member.</p>`
    }`;
  return { title: member.name, section: 'members', main, ...rejection };
}

async function forms(request: ConsoleRequest, member: User, errors: readonly FormError[]): Promise<Markup> {
  const { csrf, form: entered, visitor } = request;
  const path = `${consolePaths.members}/${member.id}`;
  const isSelf = member.id === visitor.actor.userId;
  return html`<form class="form" method="post" action="${path}">
      ${csrf} ${wasFields(new URLSearchParams({ name: member.name, role: member.role }), profileFields, entered)}
      ${nameField(entered.get('name') ?? member.name, errors)}
      ${roleField(request, entered.get('role') ?? member.role, errors)}
      <div class="actions"><button type="submit">Save the changes</button></div>
    </form>
    ${
      isSelf
        ? html`<p class="note">
            This is you. Change your password under <a href="${consolePaths.account}">Your account</a>. Only another
            owner or admin can deactivate you.
          </p>`
        : html`${await resourceModeSection(request, member, path, errors)}
          ${await passwordSection(request, member, path, errors)} ${await passkeySection(request, member, path)}
          ${access(request, member, path)}`
    }`;
}

/** How to take the access away, or give it back. */
function access({ csrf }: ConsoleRequest, { status }: User, path: string): Child {
  if (status === 'ACTIVE') {
    return html`<section aria-labelledby="access">
      <h2 id="access">Access</h2>
      <p>A deactivated member cannot sign in. Their tasks and their history stay.</p>
      <p><a class="button quiet" href="${path}/deactivate">Deactivate…</a></p>
    </section>`;
  }
  return html`<section aria-labelledby="access">
    <h2 id="access">Access</h2>
    <p>The member cannot sign in, and API keys that they created are rejected.</p>
    <form method="post" action="${path}/reactivate">
      ${csrf}
      <button type="submit" class="quiet">Reactivate the member</button>
    </form>
  </section>`;
}
