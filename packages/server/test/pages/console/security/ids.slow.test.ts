import { randomUUID } from 'node:crypto';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { startReceiver } from '@runward/testing/receiver';
import test, { type ExecutionContext } from 'ava';
import { fingerprints } from '../../../support/database/rows.ts';
import { bodyOf, pathOf, sampledPages, searchOf, type SampledPage } from '../../../support/sweep/console-pages.ts';
import { markedWorld } from '../../../support/sweep/marked-world.ts';
import { newWorld, type Ids, type World } from '../../../support/world/world.ts';

const app = useApp(test, { retrySchedule: [0] });
const stack = new AsyncDisposableStack();
test.after.always(() => stack.disposeAsync());

const canary = 'canary-of-the-stranger';

async function makeWorlds() {
  const { url } = stack.use(await startReceiver());
  const world = await newWorld(app, await newOrganization(app), url);
  const stranger = await markedWorld(app, await newOrganization(app), url, canary);
  const client = newClient(app);
  await client.signIn(world.org.ownerEmail, world.org.ownerPassword);
  const { csrf = '' } = fieldsOf((await client.get('/console/account')).html);
  const send = async (sampled: SampledPage, path: string, fields: Readonly<Record<string, string>>) =>
    sampled.page.method === 'GET' ? client.get(path) : client.upload(path, bodyOf(sampled, { csrf, ...fields }));
  return { world, stranger, client, send };
}

let worlds: ReturnType<typeof makeWorlds> | undefined;
/**
 * The owner of one organization, and another organization whose every text contains the canary. Only the last test
 * changes them.
 */
const twoWorlds = () => (worlds ??= makeWorlds());

/** Fails if a page tells anything about the other organization besides the ids that were in the request. */
function tellsNothing(t: ExecutionContext, html: string, { ids, org }: World, request: string, what: string) {
  t.false(html.includes(canary), what);
  t.false(html.includes(org.ownerEmail), what);
  for (const [kind, id] of Object.entries(ids)) {
    if (!request.includes(id)) t.false(html.includes(id), `${what} shows the ${kind}`);
  }
}

test.serial('a page at an id of another organization says that there is nothing, and changes nothing', async (t) => {
  const { world, stranger, send } = await twoWorlds();
  const before = await fingerprints(app.database);
  for (const sampled of sampledPages.filter(({ page }) => page.path.includes('/:'))) {
    const { name, page, fields } = sampled;
    const valid = (await fields?.(world.ids, world)) ?? {};
    const ask = async (idOf: (subject: keyof Ids) => string) => {
      const path = pathOf(sampled, idOf) + searchOf(sampled, world.ids);
      const { status, html } = await send(sampled, path, valid);
      tellsNothing(t, html, stranger, path, name);
      return { path, status, html };
    };
    const foreign = await ask((subject) => stranger.ids[subject]);
    if (name === 'consoleUpload') continue; // It leads to the page of the task without a look at it.
    t.is(foreign.status, 404, `${page.method} ${foreign.path}`);
    t.regex(foreign.html, /not found/i, name);
    const unknown = await ask(() => '01900000-0000-7000-8000-000000000001');
    const without = ({ html, path }: typeof foreign) =>
      path
        .split(/[/?&=]/)
        .filter((each) => each.length > 30)
        .reduce((text, id) => text.replaceAll(id, 'ID'), html);
    t.is(without(foreign), without(unknown), name);
  }
  t.deepEqual(await fingerprints(app.database), before);
});

test.serial('ids of another organization in a query or in a field tell nothing, and change nothing', async (t) => {
  const { world, stranger, send } = await twoWorlds();
  for (const sampled of sampledPages) {
    const { name, page, fields, query } = sampled;
    const path = pathOf(sampled, (subject) => world.ids[subject]);
    const own = JSON.stringify((await fields?.(world.ids, world)) ?? {});
    const foreign = (await fields?.(stranger.ids, stranger)) ?? {};
    const names = Object.values(world.ids).some((id) => own.includes(id));
    if (page.method === 'GET' ? !query : !names && !own.includes('"to":')) continue;
    const before = await fingerprints(app.database);
    const sent = page.method === 'GET' ? searchOf(sampled, stranger.ids) : JSON.stringify(foreign);
    const { status, html } = await send(sampled, page.method === 'GET' ? path + sent : path, foreign);
    t.true(status < 500, `${name}: ${status}`);
    tellsNothing(t, html, stranger, sent, name);
    t.deepEqual(await fingerprints(app.database), before, name);
  }
});

const malformed = [
  'x',
  '__proto__',
  'constructor',
  '%00',
  '%0d%0aset-cookie:%20a=b',
  '%2e%2e%2f%2e%2e%2fsign-in',
  '%2F%2Fevil.example',
  '%F0%9F%92%A9',
  '%ff',
  '%',
  "'%22%3E%3Cscript%3E",
  'a'.repeat(5_000),
  `${randomUUID()}%00`,
  `%20${randomUUID()}`,
];

test.serial('a malformed id is a page with an error of the client, and changes nothing', async (t) => {
  const { world, send } = await twoWorlds();
  const before = await fingerprints(app.database);
  for (const sampled of sampledPages.filter(({ page }) => page.path.includes('/:'))) {
    const fields = (await sampled.fields?.(world.ids, world)) ?? {};
    for (const id of malformed) {
      const path = pathOf(sampled, () => id) + searchOf(sampled, world.ids);
      const { status, headers, html } = await send(sampled, path, fields);
      const what = `${sampled.name} with ${id.slice(0, 40)}`;
      if (sampled.name === 'consoleUpload' && status === 303) {
        t.regex(headers.get('location') ?? '', /^\/console\/tasks\//, what);
        continue;
      }
      t.true(status >= 400 && status < 500, `${what}: ${status}`);
      t.regex(html, /<h1>[^]*<\/html>/, what);
      t.notRegex(html, /<script>|\s(?:href|action)="(?!#|\/(?!\/))/, what);
      t.is(headers.get('set-cookie'), null, what);
    }
  }
  t.deepEqual(await fingerprints(app.database), before);
});

test.serial('a malformed value in every part of a query and of a form is no error of the service', async (t) => {
  const { world, send } = await twoWorlds();
  const values = ['__proto__', '\0', '\'"><script>alert(1)</script>', 'a'.repeat(3_000), '-1'];
  for (const sampled of sampledPages) {
    const path = pathOf(sampled, (subject) => world.ids[subject]);
    const form = (await sampled.fields?.(world.ids, world)) ?? {};
    const query = { ...sampled.query?.(world.ids), cursor: 'x', notice: 'x', search: 'x', at: 'x', status: 'x' };
    for (const value of values) {
      for (const name of Object.keys(sampled.page.method === 'GET' ? query : form)) {
        const changed = { ...(sampled.page.method === 'GET' ? query : form), [name]: value };
        const search = `?${new URLSearchParams(changed).toString()}`;
        const { status, html } = await send(sampled, sampled.page.method === 'GET' ? path + search : path, changed);
        t.true(status < 500, `${sampled.name} with ${name}=${value.slice(0, 40)}: ${status}`);
        t.false(html.includes('<script>alert'), `${sampled.name} with ${name}`);
      }
    }
  }
});
