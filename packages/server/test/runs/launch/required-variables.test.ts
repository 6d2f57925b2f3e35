import { newOrganization } from '@runward/testing/organization';
import { getRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

/** A template that requires a region and seats, and a speed that has a default. */
async function newTemplate() {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'A' }], { name: 'Hire' }, [
    { key: 'region', required: true },
    { key: 'seats', type: 'NUMBER', required: true },
    { key: 'speed', defaultValue: 'fast', required: true },
    { key: 'remote', type: 'BOOLEAN', required: true, defaultValue: false },
    { key: 'note' },
  ]);
  return { ...org, templateId };
}

const needed = (key: string) => `variables.${key}: the template requires a value for this flow variable; send one`;

test('a launch without a required variable is rejected by every endpoint, with its key and a code', async (t) => {
  const { api, templateId } = await newTemplate();
  const params = { id: templateId };
  for (const [variables, keys] of [
    [undefined, ['region', 'seats']],
    [{ region: ' ', seats: null }, ['region', 'seats']],
    [{ region: 'EU', seats: 0, speed: null }, ['speed']],
    [{ region: 'EU', seats: 0, speed: '' }, ['speed']],
  ] as const) {
    const body = { templateId, ...(variables && { variables }) };
    const responses = [
      await api.call('runs', 'launch', { body }),
      await api.call('templates.runs', 'launch', { params, body }),
    ];
    for (const { status, error } of responses) {
      t.is(status, 400);
      t.like(error, { code: 'required_variables_missing', message: keys.map(needed) });
    }
  }
  t.is((await must(api.call('runs', 'counts'))).total, 0);
});

test('default values and false count as values of required variables', async (t) => {
  const { api, templateId } = await newTemplate();
  const body = { templateId, variables: { region: 'EU', seats: 0 } };
  const { id } = await must(api.call('runs', 'launch', { body }));
  t.deepEqual((await getRun(api, id)).variables, { region: 'EU', seats: 0, speed: 'fast', remote: false, note: null });
});

test('wrong types and missing values are named together, as invalid input', async (t) => {
  const { api, templateId } = await newTemplate();
  const body = { templateId, variables: { seats: 'two', remote: 'yes' } };
  const { status, error } = await api.call('runs', 'launch', { body });
  t.is(status, 400);
  t.is(error.code, 'validation_failed');
  const [seats, remote, region, ...others] = error.message as string[];
  t.regex(seats ?? '', /^variables\.seats: must be a number/);
  t.regex(remote ?? '', /^variables\.remote: must be true or false/);
  t.is(region, needed('region'));
  t.deepEqual(others, []);
});

test('rejected launches of a bulk launch have the index, the messages and the code of a single launch', async (t) => {
  const { api, templateId } = await newTemplate();
  const draft = await must(api.call('templates', 'create', { body: { name: 'Draft' } }));
  const { rejected, results } = await must(
    api.call('runs', 'bulkLaunch', {
      body: {
        runs: [
          { templateId, variables: { region: 'EU', seats: 2 } },
          { templateId, variables: { region: 'EU' } },
          { templateId, variables: { region: 5, seats: 2 } },
          { templateId: draft.id },
        ],
      },
    }),
  );
  t.is(rejected, 3);
  t.deepEqual(
    results.map(({ index, status, code }) => [index, status, code]),
    [
      [0, 'CREATED', undefined],
      [1, 'REJECTED', 'required_variables_missing'],
      [2, 'REJECTED', 'validation_failed'],
      [3, 'REJECTED', 'template_not_published'],
    ],
  );
  t.deepEqual(results[1]?.message, [needed('seats')]);
});

test('runs that exist are not affected when a variable becomes required, also if they are migrated', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'A' }], {}, [{ key: 'region' }]);
  const params = { id: templateId };
  const { id } = await must(api.call('runs', 'launch', { body: { templateId } }));
  const [variable] = (await must(api.call('templates.variables', 'list', { params }))).data;
  const change = (required: boolean) =>
    must(
      api.call('templates.variables', 'update', {
        params: { ...params, variableId: variable?.id ?? '' },
        body: { required },
      }),
    );
  t.true((await change(true)).required);
  await must(api.call('templates', 'publish', { params }));
  t.true((await must(api.call('runs', 'migrateToLatest', { params: { id } }))).changed);
  t.is((await getRun(api, id)).variables['region'], null);
  t.is((await api.call('runs', 'launch', { body: { templateId } })).status, 400);

  t.false((await change(false)).required);
  await must(api.call('templates', 'publish', { params }));
  await must(api.call('runs', 'launch', { body: { templateId } }));
});
