import { ApiError } from '@runward/sdk';
import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { confirmForm } from '../forms/confirm-form.ts';
import { secretView } from './secret.ts';
import { organizationAsSigner, type Signer } from './signer.ts';

/** Rotates the signing secret of the organization. Without an overlap it asks first. */
export async function rotateSecret(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  return rotateSecretOf(organizationAsSigner(request), request);
}

/** Rotates a signing secret. Without an overlap it asks first. */
export async function rotateSecretOf(signer: Signer, request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { form } = request;
  const entered = form.get('overlapHours') ?? '';
  // What is no number is left for the endpoint to reject, because an empty text must not count as 0.
  const overlapHours = /^\d+$/.test(entered) ? Number(entered) : entered;
  if (overlapHours === 0 && form.get('confirmed') !== 'yes') return question(signer, request);
  try {
    // The endpoint rejects what is no number.
    await signer.rotate({ overlapHours: overlapHours as number });
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode !== 400) throw error;
    return secretView(signer, request, error.messages, entered);
  }
  return { redirectTo: `${signer.path}?notice=rotated` };
}

function question({ path: back, section }: Signer, request: ConsoleRequest): ConsoleView {
  const main = html`<p>
      Every receiver that has the old secret rejects deliveries at once, until it gets the new one. Rejected deliveries
      are retried, and those that fail in the end can be replayed.
    </p>
    ${confirmForm(request, {
      button: 'Rotate the secret without an overlap',
      back,
      fields: html`<input type="hidden" name="overlapHours" value="0" />
        <input type="hidden" name="confirmed" value="yes" />`,
    })}`;
  return { title: 'End the old secret at once?', section, main };
}
