import { scopes } from '@runward/contract';
import { apiOf } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { newId } from '../../../src/ids.ts';
import { hashApiKey } from '../../../src/organization/api-key-token.ts';
import { loadRun } from '../../../src/runs/store/load.ts';
import { countStatements } from '../../support/database/statements.ts';

const app = useApp(test);

/** An organization with runs that this process knows, a key, and the title that each run should have. */
async function withRuns(name: string, count: number) {
  const org = await newOrganization(app);
  const api = await org.key({ scopes });
  const { templateId } = await publishProcess(org.api);
  const titles = new Map<string, string>();
  for (let index = 0; index < count; index += 1) {
    const { id } = await launchRun(org.api, templateId, { title: `${name} ${index}` });
    titles.set(id, `${name} ${index}`);
    await getRun(api, id);
  }
  return { ...org, api, titles };
}

test.serial(
  'runs of several organizations that are read at the same time share a statement, and each is as it was asked for',
  async (t) => {
    const orgs = [await withRuns('Own', 3), await withRuns('Other', 3)];
    const wanted = orgs.flatMap(({ organizationId, titles }) =>
      [...titles].map(([runId, title]) => ({ organizationId, runId, title })),
    );
    // Otherwise what they do in the background would be counted.
    await app.dispatcher.stop();
    await app.examiner.stop();
    const statements = countStatements();
    const read = await Promise.all(
      wanted.map(async ({ organizationId, runId }) =>
        loadRun(app.database.em.fork(), organizationId, { runId }, { forms: false }),
      ),
    );
    t.is(statements.stop(), 1);
    t.deepEqual(
      read.map((run) => ({ organizationId: run?.organizationId, runId: run?.state.id, title: run?.state.title })),
      wanted,
    );
  },
);

test.serial('a run of another organization is not there, although both are read by one statement', async (t) => {
  const [one, other] = [await withRuns('Own', 3), await withRuns('Other', 3)];
  const [foreign] = [...other.titles.keys()];
  const answers = await Promise.all([
    ...[...one.titles.keys()].map(async (id) => one.api.call('runs', 'get', { params: { id } })),
    one.api.call('runs', 'get', { params: { id: foreign ?? '' } }),
    other.api.call('runs', 'get', { params: { id: foreign ?? '' } }),
  ]);
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 404, 200],
  );
});

test.serial('of runs with the same id in two organizations, each gets its own', async (t) => {
  const [one, copy] = [await withRuns('Own', 1), await newOrganization(app)];
  const [id = ''] = one.titles.keys();
  const versionId = newId();
  const own = { organization_id: copy.organizationId };
  const copied = {
    templates: { ...own, published_version_id: null },
    template_versions: { ...own, id: versionId, published_by_user_id: copy.ownerUserId },
    runs: { ...own, template_version_id: versionId, owner_user_id: copy.ownerUserId },
    run_tasks: own,
  };
  for (const [table, values] of Object.entries(copied)) {
    await app.provision.query(
      `insert into ${table} select (jsonb_populate_record(original, $2)).* from ${table} original where organization_id = $1`,
      [one.organizationId, values],
    );
  }
  const owners = async () => {
    const both = [one, copy].map(async ({ api }) => must(api.call('runs', 'get', { params: { id } })));
    return (await Promise.all(both)).map(({ ownerUserId }) => ownerUserId);
  };
  for (let round = 0; round < 3; round += 1) t.deepEqual(await owners(), [one.ownerUserId, copy.ownerUserId]);
  for (const table of ['run_tasks', 'runs']) {
    await app.provision.query(`delete from ${table} where organization_id = $1`, [copy.organizationId]);
  }
});

test.serial('a key that is revoked gets a 401, while the other keys of the statement get their runs', async (t) => {
  const org = await withRuns('Run', 1);
  const [id = ''] = org.titles.keys();
  const plainKey = await org.plainKey({ scopes });
  const revoked = apiOf(app.baseUrl, plainKey);
  await getRun(revoked, id);
  await app.provision.query('update api_keys set revoked_at = now() where key_hash = $1', [hashApiKey(plainKey)]);
  const answers = await Promise.all(
    [org.api, revoked, org.api].map(async (api) => api.call('runs', 'get', { params: { id } })),
  );
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 401, 200],
  );
});

test.serial(
  'an entry that was discarded, and a task that a migration has removed, are not found any more',
  async (t) => {
    const { api } = await newOrganization(app);
    const { templateId } = await publishProcess(api, [
      { title: 'Form', fields: [{ key: 'name', label: 'Name', type: 'TEXT' }] },
    ]);
    const { id, byTitle } = await launchRun(api, templateId);
    const { runTaskId } = byTitle('Form');
    const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId } }));
    await must(api.call('execution', 'discard', { params: { id: executionEntryId } }));
    t.is((await api.call('execution', 'complete', { body: { executionEntryId } })).status, 404);

    const tasks = [{ title: 'Another' }];
    await must(
      api.call('templates.draft', 'replace', {
        params: { id: templateId },
        body: { phases: [], tasks, variables: [] },
      }),
    );
    await must(api.call('templates', 'publish', { params: { id: templateId } }));
    await must(api.call('runs', 'migrateToLatest', { params: { id } }));
    const removed = await api.call('execution', 'open', { body: { runTaskId } });
    t.is(removed.status, 404);
  },
);
