import { contract, type Response } from '@runward/contract';
import { html, type Child, type Markup } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { fact } from '../fact.ts';
import { statusMark } from '../status.ts';
import { renderTable } from '../table.ts';
import { timeTag } from '../time-tag.ts';
import { shownAgain } from '../webhooks/shown-again.ts';
import { heldByWords } from './held-by-words.ts';

type Mail = Response<typeof contract.mails.get>;

/** Sends a mail again. */
export async function resendMail(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, params } = request;
  const path = `${consolePaths.mails}/${params['id']}`;
  try {
    await call(api, contract.mails.resend, { params });
  } catch (error) {
    return shownAgain(error, request, { path, show: showMail });
  }
  return { redirectTo: `${path}?notice=mailResent` };
}

/** A mail with its text, and what the mail server said to each attempt. */
export async function showMail(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, params, formats } = request;
  const mail = await call(api, contract.mails.get, { params });
  const { to, status, heldBy, createdAt, sentAt, nextAttemptAt, messageId, text } = mail;
  const main = html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${consolePaths.mails}">Mails</a></nav>
    <dl class="facts long">
      ${fact('To', to, { isLong: true })}
      ${fact('Status', html`${statusMark(status)}${heldBy && html` <span class="why">${heldByWords[heldBy]}</span>`}`)}
      ${fact('Written', timeTag(formats, createdAt))} ${sentAt !== null && fact('Sent', timeTag(formats, sentAt))}
      ${nextAttemptAt !== null && fact('Next attempt', timeTag(formats, nextAttemptAt))}
      ${fact('Message-ID', messageId, { isLong: true })}
    </dl>
    ${resendForm(request, mail)}
    <section aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      ${attempts(request, mail)}
      <p class="note">Times are in ${formats.timeZone}.</p>
    </section>
    <section aria-labelledby="text">
      <h2 id="text">Text</h2>
      <pre class="code" tabindex="0">${text}</pre>
    </section>`;
  return { title: mail.subject, section: 'mails', main };
}

function resendForm({ csrf }: ConsoleRequest, { id, status }: Mail): Markup {
  return html`<form class="actions" method="post" action="${consolePaths.mails}/${id}/resend">
    ${csrf}
    <button type="submit" class="quiet">${status === 'PENDING' ? 'Send now' : 'Resend'}</button>
  </form>`;
}

function attempts({ formats }: ConsoleRequest, { attempts: all }: Mail): Child {
  if (all.length === 0) return html`<p class="empty">There was no attempt yet. Look again in a moment.</p>`;
  return renderTable({
    caption: 'Attempts, newest first',
    columns: ['Time', 'Mail server'],
    rows: all.toReversed().map(({ at, response, error }) => [timeTag(formats, at), response ?? error]),
  });
}
