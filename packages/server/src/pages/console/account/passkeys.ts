import { passkeyMinutes, passkeysPerMember, type contract, type Response } from '@runward/contract';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths, signInPath } from '../../paths.ts';
import { passkeyScript } from '../../sign-in/passkey-form.ts';
import type { ConsoleRequest } from '../console-page.ts';
import type { FormError } from '../forms/form-errors.ts';
import { textField } from '../forms/text-field.ts';
import { renderTable } from '../table.ts';
import { timeTag } from '../time-tag.ts';

type PasskeyPage = Response<typeof contract.auth.passkeys>;
type Passkey = PasskeyPage['data'][number];

const path = `${consolePaths.account}/passkeys`;
/** The id of the field with the name of a passkey. */
export const fieldOf = (id: string) => `passkey-${id}`;

/** The passkeys of the signed-in member, and the form that adds one. */
export function passkeySection(request: ConsoleRequest, page: PasskeyPage, errors: readonly FormError[]): Markup {
  const { csrf } = request;
  const { data, total } = page;
  return html`<section aria-labelledby="passkeys">
    <h2 id="passkeys">Passkeys</h2>
    <p class="soft">With a passkey you sign in by the lock of a device or a security key, without a password.</p>
    ${
      data.length > 0 &&
      renderTable({
        caption: 'Your passkeys',
        columns: ['Name', 'Added', 'Last used', 'Action'],
        rows: data.map((passkey) => row(request, passkey, errors)),
      })
    }
    ${
      total < passkeysPerMember
        ? html`<div data-passkey="add" data-next="${consolePaths.account}?notice=passkeyAdded" hidden>
              <h3 class="size-3">Add a passkey</h3>
              <form class="form">
                ${csrf}
                <p class="problem" role="alert" hidden></p>
                ${textField({
                  id: 'passkey-name',
                  name: 'name',
                  label: 'Name of the new passkey',
                  hint: 'Such as the name of the device.',
                  errors: [],
                  attributes: html`maxlength="255" autocomplete="off"`,
                })}
                <p class="hint">
                  Passkeys are added within ${passkeyMinutes} minutes of signing in. If that was longer ago,
                  <a href="${signInPath}?next=${consolePaths.account}">sign in again</a> first.
                </p>
                <div class="actions"><button type="submit">Add a passkey</button></div>
              </form>
            </div>
            <p class="note" data-passkey-missing>
              Adding a passkey needs JavaScript, and a browser that has passkeys.
            </p>`
        : html`<p class="note">
            You have ${passkeysPerMember} passkeys, the most possible. Remove one to add another.
          </p>`
    }
    ${passkeyScript()}
  </section>`;
}

function row({ csrf, form, formats }: ConsoleRequest, passkey: Passkey, errors: readonly FormError[]): Child[] {
  const { id, name, createdAt, lastUsedAt } = passkey;
  const isAgain = errors.some(({ fieldId }) => fieldId === fieldOf(id));
  return [
    html`<form class="one-field" method="post" action="${path}/${id}/rename">
      ${csrf}
      ${textField({
        id: fieldOf(id),
        name: 'name',
        label: html`<span class="only-read">Name of the passkey ${name}</span>`,
        value: isAgain ? (form.get('name') ?? '') : name,
        errors,
        attributes: html`maxlength="255" autocomplete="off"`,
      })}
      <button type="submit" class="quiet">Rename<span class="only-read"> ${name}</span></button>
    </form>`,
    timeTag(formats, createdAt),
    lastUsedAt === null ? 'Never' : timeTag(formats, lastUsedAt),
    html`<form method="post" action="${path}/${id}/remove">
      ${csrf}
      <button type="submit" class="quiet">Remove<span class="only-read"> ${name}</span></button>
    </form>`,
  ];
}
