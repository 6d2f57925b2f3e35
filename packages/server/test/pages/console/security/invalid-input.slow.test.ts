import { randomUUID } from 'node:crypto';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import { sql } from 'kysely';
import { fingerprints } from '../../../support/database/rows.ts';
import { bodyOf, pathOf, sampledForms } from '../../../support/sweep/console-pages.ts';
import { newWorld } from '../../../support/world/world.ts';

const app = useApp(test, { retrySchedule: [0] });
const stack = new AsyncDisposableStack();
test.after.always(() => stack.disposeAsync());

async function newOwner() {
  const { url } = stack.use(await startReceiver());
  const org = await newOrganization(app);
  return { org, world: await newWorld(app, org, url) };
}

async function clientOf({ ownerEmail, ownerPassword }: Awaited<ReturnType<typeof newOrganization>>) {
  const client = newClient(app);
  await client.signIn(ownerEmail, ownerPassword);
  const { csrf = '' } = fieldsOf((await client.get('/console/account')).html);
  return { ...client, csrf };
}

test.serial('a form over its size limit, or of another type, changes nothing, and the page says why', async (t) => {
  const { org, world } = await newOwner();
  const { csrf, upload, get } = await clientOf(org);
  t.is((await get('/console')).status, 200);
  const before = await fingerprints(app.database);
  for (const form of sampledForms) {
    const path = pathOf(form, (subject) => world.ids[subject]);
    const fields = { ...(await form.fields?.(world.ids, world)), csrf };
    const { maximumFormBytes = 16_384, maximumFileBytes } = form.page;
    const tooLarge = bodyOf(
      form,
      maximumFileBytes === undefined ? { ...fields, x: 'x'.repeat(maximumFormBytes) } : fields,
    );
    if (tooLarge instanceof FormData)
      tooLarge.set('file', new File([new Uint8Array((maximumFileBytes ?? 0) + 1)], 'x.txt'));
    const answer = await upload(path, tooLarge);
    t.is(answer.status, 413, form.name);
    t.regex(answer.html, /<h1>The form is too large<\/h1>\s*<p>[^<]*(?:MB|KB|bytes|MiB|KiB)/, form.name);
    const other = bodyOf(
      { page: { ...form.page, ...(maximumFileBytes === undefined && { maximumFileBytes: 1 }) } },
      fields,
    );
    const wrongType = await upload(path, maximumFileBytes === undefined ? other : new URLSearchParams(fields));
    t.is(wrongType.status, 400, form.name);
    t.regex(wrongType.html, /<h1>This did not work<\/h1>/, form.name);
  }
  t.deepEqual(await fingerprints(app.database), before);
});

/** Forms that make one more each time, which the page that follows shows. */
const makesOneMore = new Set([
  'submitConsoleUpload',
  'consoleCreateGroup',
  'consoleCreateFolder',
  'consoleCreateKey',
  'consoleCreateWebhook',
  'consoleTestWebhook',
  'consoleCommentOnRun',
  'consoleCommentOnTask',
  'consoleCreateFormLink',
]);

/** How many rows there are, by table, without the audit log, which has a line for each change. */
async function countRows(): Promise<unknown> {
  const tables = Object.keys(await fingerprints(app.database)).filter((table) => table !== 'audit_lines');
  const counts = tables.map((table) => sql`select ${table}::text as name, count(*) as count from ${sql.table(table)}`);
  const all = sql`select * from (${sql.join(counts, sql` union all `)}) each order by name`;
  return (await all.execute(app.database.em.fork().getKysely())).rows;
}

test.serial('a form that is sent twice, with unknown fields, makes nothing more the second time', async (t) => {
  const { org, world } = await newOwner();
  const { organizationId } = await newOrganization(app);
  for (const form of sampledForms) {
    const current = { ...world, session: await org.session() };
    const ids = { ...world.ids, ...(await form.before?.(current)) };
    const { csrf, upload, get } = await clientOf(org);
    const known = { csrf, ...(await form.fields?.(ids, current)) };
    const unknown = { ['__proto__']: 'x', constructor: 'x', organizationId, status: 'DEACTIVATED', id: randomUUID() };
    const fields = form.page.maximumFileBytes === undefined ? { ...unknown, ...known } : known;
    const path = pathOf(form, (subject) => ids[subject]);
    const once = { ...fields, ...(form.name === 'consoleSubmitLaunch' && { once: randomUUID() }) };
    const first = await upload(path, bodyOf(form, once));
    t.true(first.status < 400, `${form.name}: ${first.status}`);
    const before = await countRows();
    const second = await upload(path, bodyOf(form, once));
    t.true(second.status < 500, `${form.name}: ${second.status}`);
    if (second.status === 303) {
      const { status } = await get(second.headers.get('location') ?? '');
      t.is(status, 200, `${form.name} leads on`);
    }
    if (!makesOneMore.has(form.name)) t.deepEqual(await countRows(), before, form.name);
  }
});
