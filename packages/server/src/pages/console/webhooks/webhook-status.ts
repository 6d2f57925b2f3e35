import type { Webhook } from '@runward/sdk';
import { html, type Child } from '../../html.ts';
import type { Formats } from '../formats.ts';
import { statusMark } from '../status.ts';
import { timeTag } from '../time-tag.ts';

/** Whether a webhook receives deliveries, and if not, why and since when. */
export function webhookStatus({ enabled, disabledReason, disabledAt, pausedReason }: Webhook, formats: Formats): Child {
  if (pausedReason !== null) {
    return html`${statusMark('PAUSED')}
      <span class="why">The plan of the organization does not include webhooks.</span>`;
  }
  const since = disabledAt !== null && html` since ${timeTag(formats, disabledAt)}`;
  return html`${statusMark(enabled ? 'ENABLED' : 'DISABLED')}${since}
  ${disabledReason !== null && html`<span class="why">${disabledReason}</span>`}`;
}
