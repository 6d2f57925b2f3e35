import { html, type Markup } from '../../html.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { formErrors, type FormError } from '../forms/form-errors.ts';
import { textField } from '../forms/text-field.ts';
import { timeTag } from '../time-tag.ts';
import { organizationAsSigner, type Signer } from './signer.ts';

const verificationGuide = '/docs/guides/verify-webhooks.md';
const labels = { overlapHours: 'Hours for which the old secret stays valid' } as const;
const defaultHours = '24';

/** The signing secret of the organization, hidden at first, and the form that rotates it. */
export async function showSecret(request: ConsoleRequest): Promise<ConsoleView> {
  return showSecretOf(organizationAsSigner(request), request);
}

/** A signing secret, hidden at first, and the form that rotates it. */
export async function showSecretOf(signer: Signer, request: ConsoleRequest): Promise<ConsoleView> {
  return secretView(signer, request, [], defaultHours);
}

/** The page of a signing secret, after a rotation was rejected if there are messages. */
export async function secretView(
  { path, title, section, lead, read }: Signer,
  request: ConsoleRequest,
  messages: readonly string[],
  entered: string,
): Promise<ConsoleView> {
  const { previousExpiresAt, ...secrets } = await read();
  const errors = formErrors(messages, labels);
  const main = html`${lead}
    <p class="text">
      A receiver computes the HMAC-SHA256 of the header <code>x-flow-timestamp</code>, a dot and the body as it arrived,
      with the secret as the key, and compares it in hex with the header <code>x-flow-signature</code>. It rejects a
      delivery whose signature differs, or whose timestamp is more than five minutes away from its clock. See
      <a href="${verificationGuide}">code for several languages</a>.
    </p>
    ${hidden('secret', 'The secret', secrets.secret)}
    ${secrets.previousSecret !== null && hidden('previous', 'The previous secret', secrets.previousSecret)}
    <h2>Rotate the secret</h2>
    ${previousExpiresAt === null ? rotation(path, request, errors, entered) : rotationInOverlap(path, request, previousExpiresAt)}`;
  return { title, section, errors, main };
}

function rotation(path: string, { csrf }: ConsoleRequest, errors: readonly FormError[], entered: string): Markup {
  return html`<p class="text">
      Rotate it if someone else may know it. A new secret signs deliveries from then on. While the old secret stays
      valid, deliveries also have its signature, in <code>x-flow-signature-previous</code>, so that you can give the new
      secret to one receiver after the other.
    </p>
    <form class="form" method="post" action="${path}/rotate">
      ${csrf}
      ${textField({
        id: 'overlapHours',
        label: labels.overlapHours,
        hint: '0 to 168. With 0, receivers reject deliveries until they have the new one.',
        value: entered,
        errors,
        attributes: html`inputmode="numeric"`,
      })}
      <div class="actions"><button type="submit">Rotate the secret</button></div>
    </form>`;
}

function rotationInOverlap(path: string, { csrf, formats }: ConsoleRequest, previousExpiresAt: string): Markup {
  return html`<p class="notice">
      The previous secret is valid until ${timeTag(formats, previousExpiresAt)} (${formats.timeZone}). Give the new
      secret to every receiver before that.
    </p>
    <p class="text">Until then, the secret can only be rotated without an overlap, which ends the previous one, too.</p>
    <form class="actions" method="post" action="${path}/rotate">
      ${csrf}<input type="hidden" name="overlapHours" value="0" />
      <button type="submit" class="quiet">End both, and make a new secret…</button>
    </form>`;
}

function hidden(id: string, label: string, value: string): Markup {
  return html`<details>
    <summary>Show ${label.toLowerCase()}</summary>
    <div class="field">
      <label for="${id}">${label}</label>
      <input id="${id}" class="key" value="${value}" readonly autocomplete="off" spellcheck="false" />
      <button type="button" class="quiet with-scripts" data-copies="${id}">Copy</button>
    </div>
  </details>`;
}
