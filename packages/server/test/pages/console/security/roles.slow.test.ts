import { useApp } from '@runward/testing/app';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient, unescaped } from '@runward/testing/page-client';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import { fingerprints } from '../../../support/database/rows.ts';
import { bodyOf, pathOf, sampledPages, searchOf, type SampledPage } from '../../../support/sweep/console-pages.ts';
import { newWorld } from '../../../support/world/world.ts';

const app = useApp(test, { retrySchedule: [0] });
const stack = new AsyncDisposableStack();
test.after.always(() => stack.disposeAsync());

/** A member without a role, in an organization with one of everything. */
async function newMember() {
  const { url } = stack.use(await startReceiver());
  const world = await newWorld(app, await newOrganization(app), url);
  const { email, password } = await addMember(app.baseUrl, world.session);
  const client = newClient(app);
  await client.signIn(email, password);
  const { csrf = '' } = fieldsOf((await client.get('/console/account')).html);
  const path = (page: SampledPage) => pathOf(page, (subject) => world.ids[subject]);
  return { world, client, csrf, path };
}

test.serial('every page for administrators rejects a member, says whom to ask, and changes nothing', async (t) => {
  const { world, client, csrf, path } = await newMember();
  const before = await fingerprints(app.database);
  for (const sampled of sampledPages.filter(({ isForAdministrators }) => isForAdministrators)) {
    const { name, page, fields } = sampled;
    const { status, html } = await (page.method === 'GET'
      ? client.get(path(sampled) + searchOf(sampled, world.ids))
      : client.upload(path(sampled), bodyOf(sampled, { csrf, ...(await fields?.(world.ids, world)) })));
    t.is(status, 403, name);
    t.regex(html, /Only owners and admins of the organization may do this; ask one of them\./, name);
    t.notRegex(html, /<main[^]*<(?:input|select|textarea)[^]*<\/main>/, name);
  }
  t.deepEqual(await fingerprints(app.database), before);
});

test.serial('every other page is open to a member, and offers no way to a page that is refused', async (t) => {
  const { world, client, path } = await newMember();
  const forms = sampledPages.filter(({ page }) => page.method === 'POST');
  const isRefused = new Set(forms.filter(({ isForAdministrators }) => isForAdministrators).map((each) => path(each)));
  const isVisited = new Set<string>();
  for (const sampled of sampledPages.filter(
    ({ page, isForAdministrators }) => page.method === 'GET' && !isForAdministrators,
  )) {
    const { status, html } = await client.get(path(sampled) + searchOf(sampled, world.ids));
    t.true(status === 200 || status === 303, `${sampled.name}: ${status}`);
    for (const [, name, each = ''] of html.matchAll(/\s(href|action)="(\/console[^"#]*)/g)) {
      const way = unescaped(each);
      if (name === 'action') t.false(isRefused.has(way), `${sampled.name} offers the form ${way}`);
      if (name === 'action' || isVisited.has(way)) continue;
      isVisited.add(way);
      t.true((await client.get(way)).status < 400, `${sampled.name} leads to ${way}`);
    }
  }
  t.true(isVisited.size > 30, `${isVisited.size}`);
});
