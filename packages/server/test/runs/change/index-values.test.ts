import { filterQuery } from '@runward/contract';
import { useApp } from '@runward/testing/app';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { openDatabase } from '../../../src/database/database.ts';
import { indexValues } from '../../../src/runs/change/index-values.ts';
import { isRejected } from '../../support/expect-rejection.ts';
import { publishDraft } from '../../support/templates.ts';
import { notSearchable, purchases } from '../purchases.ts';

const app = useApp(test);

/** Fails the test that a run is left out of. */
const noWarnings = {
  warn: (...line: unknown[]) => {
    throw new Error(`Unexpected warning: ${JSON.stringify(line)}`);
  },
};

async function titlesIn({ api }: TestOrganization): Promise<string[]> {
  const query = filterQuery({ values: [{ variable: 'region', operator: 'EQUALS', value: 'EMEA' }] });
  return (await must(api.call('runs', 'list', { query }))).data.map(({ title }) => title).toSorted();
}

test.serial('a run that cannot be read is named in one warning, and the others are found', async (t) => {
  const org = await newOrganization(app);
  const { api, organizationId } = org;
  const region = { key: 'region', type: 'TEXT' } as const;
  const templateId = await publishDraft(api, [{ title: 'Only' }], [region]);
  const launch = (title: string) => launchRun(api, templateId, { title, variables: { region: 'EMEA' } });
  await launch('First');
  const damaged = await launch('Second');
  await launch('Third');
  const setVariables = (json: string) =>
    app.provision.query('update runs set variables = $3 where organization_id = $1 and id = $2', [
      organizationId,
      damaged.id,
      json,
    ]);
  await setVariables('null');

  const { id: variableId } = (await must(api.call('templates.draft', 'get', { params: { id: templateId } })))
    .variables[0] ?? {
    id: '',
  };
  await must(
    api.call('templates.variables', 'update', { params: { id: templateId, variableId }, body: { searchable: true } }),
  );
  await must(api.call('templates', 'publish', { params: { id: templateId }, body: {} }));

  // Another process, which has not read the runs before they were damaged.
  const database = await openDatabase(app.databaseUrl);
  t.teardown(() => database.close());
  const warnings: unknown[] = [];
  const log = { warn: (properties: unknown) => void warnings.push(properties) };
  await indexValues({ database, log });
  t.deepEqual(await titlesIn(org), ['First', 'Third']);
  t.is(warnings.length, 1);
  t.like(warnings[0], { organizationId, runId: damaged.id });
  t.true((warnings[0] as { err: unknown }).err instanceof Error);

  // The runs that changed about the time of the publication are read once more.
  const readAgain = `update searchable_fields set due_at = now() where organization_id = $1 and template_id = $2`;
  await app.provision.query(readAgain, [organizationId, templateId]);
  await indexValues({ database, log });
  t.is(warnings.length, 1);

  await setVariables('{"region":"EMEA"}');
  t.deepEqual(await titlesIn(org), ['First', 'Third']);
  await must(api.call('runs', 'update', { params: { id: damaged.id }, body: { title: 'Repaired' } }));
  t.deepEqual(await titlesIn(org), ['First', 'Repaired', 'Third']);
  const rows = await app.provision.query<{ source: string }>(
    'select source from searchable_values where organization_id = $1 and run_id = $2',
    [organizationId, damaged.id],
  );
  t.is(rows.length, 1);
  await must(api.call('runs', 'update', { params: { id: damaged.id }, body: { title: 'Again' } }));
  t.deepEqual(await titlesIn(org), ['Again', 'First', 'Third']);
});

test.serial('runs that exist are found once they are read, also those that have ended', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { templateId, idOf, order, by } = await purchases(org);
  const run = await order('Ended', { Note: 'old', Amount: 1 });
  await order('Active', { Note: 'old' });
  await must(api.call('runs', 'cancel', { params: { id: run.id } }));
  await mark(api, templateId, idOf('Note'), true);
  await mark(api, templateId, idOf('Amount'), false);
  await must(api.call('templates', 'publish', { params: { id: templateId }, body: {} }));
  const query = filterQuery({ values: [by('Note', 'EQUALS', 'old')] });
  const titles = async () =>
    (await must(api.call('runs', 'list', { query }))).data.map(({ title }) => title).toSorted();
  await until(async () => {
    const { status } = await api.call('runs', 'list', { query });
    t.true(status === 200 || status === 503, String(status));
    await indexValues({ database: app.database, log: noWarnings });
    return status === 200;
  }, 'the runs to be read');
  t.deepEqual(await titles(), ['Active', 'Ended']);
  await isRejected(t, api.call('runs', 'list', { query: filterQuery({ values: [by('Amount', 'EQUALS', 1)] }) }), 400, [
    `values[0].fieldId: ${notSearchable}`,
  ]);
  const left = 'select count(*)::int as count from searchable_values where organization_id = $1 and source = $2';
  const count = async () =>
    (await app.provision.query<{ count: number }>(left, [org.organizationId, idOf('Amount')]))[0];
  await until(async () => (await count())?.count === 0, 'the values of the other field to be deleted');

  // This is what is left if changes that were decided before the publication are saved after their runs were read.
  await app.provision.query('delete from searchable_values where organization_id = $1', [org.organizationId]);
  t.deepEqual(await titles(), []);
  await app.provision.query(
    'update searchable_fields set due_at = now() where organization_id = $1 and due_at is not null',
    [org.organizationId],
  );
  await until(async () => {
    await indexValues({ database: app.database, log: noWarnings });
    return (await titles()).length === 2;
  }, 'the runs to be read once more');
  t.deepEqual(await titles(), ['Active', 'Ended']);
});

async function mark(api: TestOrganization['api'], id: string, fieldId: string, searchable: boolean): Promise<void> {
  const { tasks } = await must(api.call('templates.draft', 'get', { params: { id } }));
  const task = tasks.find((each) => each.fields.some((field) => field.id === fieldId));
  const params = { id, taskId: task?.id ?? '', fieldId };
  await must(api.call('templates.fields', 'update', { params, body: { searchable } }));
}
