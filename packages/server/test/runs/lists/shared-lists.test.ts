import { defaultLimits, scopes } from '@runward/contract';
import { apiOf } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { DefaultQueryCompiler } from 'kysely';
import { memberActor, type ResourceScope } from '../../../src/access/actor.ts';
import { hashApiKey } from '../../../src/organization/api-key-token.ts';
import { pageOfRuns } from '../../../src/runs/lists/page-of-runs.ts';
import { findLaunchable } from '../../../src/runs/queries/find-launchable.ts';
import { countStatements } from '../../support/database/statements.ts';

const app = useApp(test);

type Owner = Pick<TestOrganization, 'organizationId' | 'ownerUserId'>;

/** An organization with a run, and a key that this process has cached. */
async function withRun(title: string) {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  await launchRun(org.api, templateId, { title });
  const plainKey = await org.plainKey({ scopes });
  const api = apiOf(app.baseUrl, plainKey);
  for (let time = 0; time < 2; time += 1) await must(api.call('runs', 'list', {}));
  return { ...org, templateId, plainKey, api };
}

/** The outcomes of several requests at the same time. */
async function atOnce<Outcome>(count: number, request: () => Promise<Outcome>): Promise<Outcome[]> {
  return Promise.all(Array.from({ length: count }, request));
}

/** What a caller with this resource scope reads with. */
function contextOf({ organizationId, ownerUserId: userId }: Owner, resourceScope: ResourceScope = { mode: 'ALL' }) {
  const member = {
    organizationId,
    userId,
    plan: 'ENTERPRISE',
    timeZone: 'UTC',
    role: 'OWNER',
    sessionId: null,
  } as const;
  const actor = { ...memberActor(member), resourceScope };
  return { em: app.database.em.fork(), actor, ports: { limits: defaultLimits } };
}

test.serial('callers that ask for the same at the same time share a statement', async (t) => {
  const { templateId, ...org } = await withRun('First');
  // Otherwise what they do in the background would be counted.
  await app.dispatcher.stop();
  await app.examiner.stop();
  const lists = countStatements();
  const pages = await atOnce(20, async () => pageOfRuns(contextOf(org), { limit: 50 }));
  t.is(lists.stop(), 1);
  t.true(pages.every(({ total }) => total === 1));

  const lookups = countStatements();
  const named = { templateIds: [templateId], emails: [] };
  const found = await atOnce(20, async () => findLaunchable(app.database.em.fork(), org.organizationId, named));
  t.is(lookups.stop(), 1);
  t.true(found.every(({ templates }) => templates.has(templateId)));
});

test.serial('equal lists that are requested at the same time are equal to one that is requested alone', async (t) => {
  const { api, templateId } = await withRun('First');
  await launchRun(api, templateId, { title: 'Grüße an "alle" 🎉' });
  const alone = await api.raw('GET', '/runs?limit=1');
  t.like(alone.body, { data: { 0: { title: 'Grüße an "alle" 🎉' } }, total: 2, hasMore: true });
  for (const { status, body, headers } of await atOnce(20, async () => api.raw('GET', '/runs?limit=1'))) {
    t.is(status, 200);
    t.deepEqual(body, alone.body);
    t.is(headers.get('content-type'), 'application/json; charset=utf-8');
    t.is(Number(headers.get('content-length')), Buffer.byteLength(JSON.stringify(body)));
  }
});

test.serial('a list contains every run that was launched before it was requested, however many read it', async (t) => {
  const { api, templateId } = await withRun('First');
  const done = new AbortController();
  const readers = atOnce(5, async () => {
    while (!done.signal.aborted) await must(api.call('runs', 'list', {}));
  });
  for (let total = 2; total <= 12; total += 1) {
    const { id } = await launchRun(api, templateId);
    const lists = await atOnce(3, async () => must(api.call('runs', 'list', {})));
    for (const list of lists) {
      t.is(list.data[0]?.id, id);
      t.is(list.total, total);
    }
  }
  done.abort();
  await readers;
});

test.serial('lists of different organizations, keys, filters and pages are not mixed up', async (t) => {
  const [one, other] = [await withRun('One'), await withRun('Other')];
  const hidden = await publishProcess(one.api);
  await launchRun(one.api, hidden.templateId, { title: 'Hidden' });
  const restricted = await one.key({
    scopes,
    resourceMode: 'SELECTED_TEMPLATES',
    scopedTemplateIds: [one.templateId],
  });
  const titles = async (api: typeof one.api, query = '') => {
    const { status, body } = await api.raw('GET', `/runs${query}`);
    t.is(status, 200);
    return (body as { data: { title: string }[] }).data.map(({ title }) => title).join();
  };
  const all = await atOnce(4, async () =>
    Promise.all([
      titles(one.api),
      titles(other.api),
      titles(restricted),
      titles(one.api, '?limit=1'),
      titles(one.api, '?search=One'),
      titles(one.api, `?templateId=${hidden.templateId}`),
      titles(one.api, '?sort=createdAt'),
    ]),
  );
  for (const each of all) t.deepEqual(each, ['Hidden,One', 'Other', 'One', 'Hidden', 'One', 'Hidden', 'One,Hidden']);
});

test.serial('callers share a list only with those of their organization and resource scope', async (t) => {
  const [one, other] = [await withRun('One'), await withRun('Other')];
  const hidden = await publishProcess(one.api);
  await launchRun(one.api, hidden.templateId, { title: 'Hidden' });
  const titles = async (org: Owner, resourceScope: ResourceScope) => {
    const { data } = await pageOfRuns(contextOf(org, resourceScope), { limit: 50 });
    return data
      .parse()
      .map(({ title }) => title)
      .join();
  };
  const lists = await atOnce(2, async () =>
    Promise.all([
      titles(one, { mode: 'ALL' }),
      titles(one, { mode: 'SELECTED_TEMPLATES', templateIds: [one.templateId], folderIds: [] }),
      titles(one, { mode: 'SELECTED_TEMPLATES', templateIds: [hidden.templateId], folderIds: [] }),
      titles(other, { mode: 'ALL' }),
    ]),
  );
  for (const each of lists) t.deepEqual(each, ['Hidden,One', 'One', 'Hidden', 'Other']);
});

test.serial('a revoked key gets a 401 for lists and launches, also if requests with it come together', async (t) => {
  const { api, plainKey, templateId } = await withRun('First');
  await launchRun(api, templateId);
  await app.provision.query('update api_keys set revoked_at = now() where key_hash = $1', [hashApiKey(plainKey)]);
  const lists = await atOnce(5, async () => api.call('runs', 'list', {}));
  const launches = await atOnce(5, async () => api.call('runs', 'launch', { body: { templateId } }));
  t.deepEqual([...new Set([...lists, ...launches].map(({ status }) => status))], [401]);
});

test.serial('launches of a template at the same time have their own runs', async (t) => {
  const { api, templateId } = await withRun('First');
  const titles = Array.from({ length: 20 }, (_, index) => `Run ${index}`);
  const runs = await Promise.all(titles.map(async (title) => launchRun(api, templateId, { title })));
  t.deepEqual(
    runs.map(({ title }) => title),
    titles,
  );
  t.is(new Set(runs.map(({ id }) => id)).size, 20);
});

test.serial('the first page of all runs is a query that was compiled before', async (t) => {
  const { api } = await withRun('First');
  // The first request of a key also stores when it was used.
  await must(api.call('runs', 'list', {}));
  const { compileQuery } = DefaultQueryCompiler.prototype;
  let count = 0;
  DefaultQueryCompiler.prototype.compileQuery = function counted(...args: Parameters<typeof compileQuery>) {
    count += 1;
    return compileQuery.apply(this, args);
  };
  t.teardown(() => {
    DefaultQueryCompiler.prototype.compileQuery = compileQuery;
  });
  const counts: number[] = [];
  // A job of the service can compile queries at the same time.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    count = 0;
    await must(api.call('runs', 'list', {}));
    counts.push(count);
  }
  t.is(Math.min(...counts), 0);
});
