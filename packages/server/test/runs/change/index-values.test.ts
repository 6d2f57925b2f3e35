import { filterQuery } from '@runward/contract';
import { useApp } from '@runward/testing/app';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import test from 'ava';
import { openDatabase } from '../../../src/database/database.ts';
import { indexValues } from '../../../src/runs/change/index-values.ts';
import { publishDraft } from '../../support/templates.ts';

const app = useApp(test);

async function titlesIn({ api }: TestOrganization): Promise<string[]> {
  const query = filterQuery({ values: [{ variable: 'region', operator: 'EQUALS', value: 'EMEA' }] });
  return (await must(api.call('runs', 'list', { query }))).data.map(({ title }) => title).toSorted();
}

test('a run that cannot be read is named in one warning, and does not keep the others from being found', async (t) => {
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
