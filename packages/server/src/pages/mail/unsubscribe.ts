import { notFound } from '../../api-error.ts';
import { changePreferences } from '../../notifications/preferences.ts';
import { never } from '../../notifications/queries/save-preferences.ts';
import { readUnsubscribeToken } from '../../notifications/unsubscribe-token.ts';
import { beginWriting } from '../../organization/moves/ensure-served.ts';
import { html } from '../html.ts';
import type { HtmlPage, PageRequest } from '../page.ts';
import { consolePaths } from '../paths.ts';
import { plainPage } from '../plain-page.ts';

/** Asks whether mails to a member should stop. Mail programs open links by themselves, so this changes nothing. */
export async function showUnsubscribe(request: PageRequest): Promise<HtmlPage> {
  await unsubscriberOf(request);
  return plainPage({
    title: 'Stop all mails?',
    main: html`<p>You will no longer be told by mail what you have to do. Your tasks stay in the console.</p>
      <form method="post" action="${request.path}">
        <button type="submit">Stop all mails</button>
      </form>
      <p>Or <a href="${consolePaths.account}">choose what you are told</a>.</p>`,
  });
}

/** Stops all mails to a member. The token permits that, without a session. */
export async function submitUnsubscribe(request: PageRequest): Promise<HtmlPage> {
  const member = await unsubscriberOf(request);
  const { organizationId } = member;
  const actor = { organizationId, type: 'ANONYMOUS', userId: null, apiKeyId: null } as const;
  await request.inTransaction(async (em) => {
    await beginWriting(em, organizationId);
    await changePreferences({ ...request, em, actor }, member, { kinds: never });
  });
  return plainPage({
    title: 'You get no more mails',
    main: html`<p>You can <a href="${consolePaths.account}">choose what you are told by mail</a> at any time.</p>`,
  });
}

async function unsubscriberOf({ em, params, now }: PageRequest) {
  const unsubscriber = await readUnsubscribeToken(em, params['token'] ?? '', now);
  if (!unsubscriber) throw notFound('Page');
  return unsubscriber;
}
