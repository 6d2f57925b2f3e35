import {
  contract,
  notificationChoices,
  notificationKinds,
  type NotificationKind,
  type Response,
} from '@runward/contract';
import { html, type Markup } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { select } from '../forms/select.ts';
import { isChanged, wasFields } from '../forms/was-fields.ts';

const kinds: Readonly<Record<NotificationKind, string>> = {
  ASSIGNED: 'A task is assigned to you or your group',
  APPROVAL: 'An approval waits for you',
  DUE_SOON: 'A task or an approval of yours is due soon',
  OVERDUE: 'A task of yours is overdue',
  REJECTED: 'Your form was not approved',
  MENTIONED: 'A comment mentions you or your group',
};
const choices = { AT_ONCE: 'At once', DIGEST: 'In one mail a day', NEVER: 'Never' } as const;
const fields = [...notificationKinds, 'digestHour'];
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  text: `${String(hour).padStart(2, '0')}:00`,
}));

/** The form in which members choose what they are told by mail. */
export function notificationForm(
  { csrf, form, formats }: ConsoleRequest,
  saved: Response<(typeof contract)['me.notifications']['get']>,
): Markup {
  return html`<section aria-labelledby="notifications">
    <h2 id="notifications">Mails to you</h2>
    <p class="soft">
      ${
        saved.mailEnabled
          ? 'Changes shortly after each other are one mail. You get none about what you did yourself.'
          : 'This service does not send mail yet. Your choices apply as soon as it does.'
      }
    </p>
    <form class="form" method="post" action="${consolePaths.account}/notifications">
      ${csrf} ${wasFields(new URLSearchParams({ ...saved.kinds, digestHour: String(saved.digestHour) }), fields, form)}
      ${notificationKinds.map((kind) =>
        select({
          id: `mail-${kind}`,
          name: kind,
          label: kinds[kind],
          options: notificationChoices.map((value) => ({ value, text: choices[value] })),
          value: saved.kinds[kind],
        }),
      )}
      ${select({
        id: 'digestHour',
        name: 'digestHour',
        label: 'Hour of the daily mail',
        hint: `In ${formats.timeZone}, the time zone of your organization.`,
        options: hours,
        value: String(saved.digestHour),
      })}
      <div class="actions"><button type="submit">Save what you are told</button></div>
    </form>
  </section>`;
}

/** Saves what the signed-in member is told by mail. The form has no text fields, so only a forged one is rejected. */
export async function changeNotifications({ api, form }: ConsoleRequest): Promise<Redirect> {
  const isSent = (name: string) => form.has(name) && isChanged(form, name);
  const chosen = notificationKinds.flatMap((kind) => (isSent(kind) ? [[kind, form.get(kind)]] : []));
  const digestHour = isSent('digestHour') ? { digestHour: Number(form.get('digestHour')) } : {};
  const body = { kinds: Object.fromEntries(chosen) as object, ...digestHour };
  await call(api, contract['me.notifications'].update, { body });
  return { redirectTo: `${consolePaths.account}?notice=changed` };
}
