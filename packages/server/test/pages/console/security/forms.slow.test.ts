import { useApp } from '@runward/testing/app';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import { fingerprints } from '../../../support/database/rows.ts';
import { foreignHeaders } from '../../../support/pages.ts';
import { bodyOf, pathOf, sampledForms } from '../../../support/sweep/console-pages.ts';
import { newWorld } from '../../../support/world/world.ts';

const app = useApp(test, { retrySchedule: [0] });
const stack = new AsyncDisposableStack();
test.after.always(() => stack.disposeAsync());

/** Signs the owner in once more. */
async function ownerOf({ ownerEmail, ownerPassword }: TestOrganization) {
  const client = newClient(app);
  await client.signIn(ownerEmail, ownerPassword);
  const { csrf = '' } = fieldsOf((await client.get('/console/account')).html);
  return { ...client, csrf };
}

async function newOwner() {
  const { url } = stack.use(await startReceiver());
  const org = await newOrganization(app);
  return { world: await newWorld(app, org, url), client: await ownerOf(org) };
}

/** Forms that change nothing in a world: no delivery of it has failed. */
const idle = new Set(['consoleReplayed']);

test.serial('every form that its owner sends changes something', async (t) => {
  const { world } = await newOwner();
  const { org } = world;
  for (const form of sampledForms) {
    // A new password ends all other sessions.
    const current = { ...world, session: await org.session() };
    const ids = { ...world.ids, ...(await form.before?.(current)) };
    const { csrf, upload } = await ownerOf(org);
    const fields = { csrf, ...(await form.fields?.(ids, current)) };
    const path = pathOf(form, (subject) => ids[subject]);
    const before = await fingerprints(app.database);
    const { status, html } = await upload(path, bodyOf(form, fields));
    t.true(status < 400, `${form.name}: ${status} ${html}`);
    if (!idle.has(form.name)) t.notDeepEqual(await fingerprints(app.database), before, form.name);
  }
});

test.serial('no form changes anything without the token of its session, or from a page of another site', async (t) => {
  const { world, client } = await newOwner();
  const [sameOwner, stranger] = [await ownerOf(world.org), await ownerOf(await newOrganization(app))];
  const nobody = newClient(app);
  const before = await fingerprints(app.database);
  for (const form of sampledForms) {
    const path = pathOf(form, (subject) => world.ids[subject]);
    const fields = (await form.fields?.(world.ids, world)) ?? {};
    for (const csrf of ['', `${client.csrf}x`, sameOwner.csrf, stranger.csrf]) {
      const { status, html } = await client.upload(path, bodyOf(form, { ...fields, csrf }));
      const what = `${form.name} with the token "${csrf}"`;
      t.is(status, 403, what);
      const next = form.page.maximumFileBytes === undefined ? 'Continue' : 'choose the file again';
      t.regex(html, new RegExp(`nothing was changed yet[^]*${next}`), what);
      t.notRegex(html, /type="hidden" name="\w*[pP]assword/, what);
    }
    const { status: withoutToken } = await client.upload(path, bodyOf(form, fields));
    t.true(withoutToken === 400 || withoutToken === 403, `${form.name} without a token: ${withoutToken}`);
    for (const each of foreignHeaders) {
      const { status, html } = await client.upload(path, bodyOf(form, { ...fields, csrf: client.csrf }), each);
      t.is(status, 403, `${form.name} with ${JSON.stringify(each)}`);
      t.regex(html, /<h1>This did not work<\/h1>/, form.name);
    }
    const { status } = await nobody.upload(path, bodyOf(form, { ...fields, csrf: client.csrf }));
    t.true(status === 401 || status === 303, `${form.name} of a stranger: ${status}`);
    t.deepEqual(await fingerprints(app.database), before, form.name);
  }
});
