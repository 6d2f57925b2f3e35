import { fieldTypes, isMultipart } from '@runward/contract';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import * as fc from 'fast-check';
import { fingerprints } from '../support/database/rows.ts';
import { declaredProperties, presentProperties } from '../support/mutations/declared.ts';
import { createPicker, everything, wireOf } from '../support/mutations/mutants.ts';
import { changed, itemAt, randomChange } from '../support/mutations/random.ts';
import { problemWith, sendWire, sweep } from '../support/mutations/sweep.ts';
import { otherValues, sharpValues } from '../support/mutations/values.ts';
import { callOf, examplesOf, prepare } from '../support/sweep/calls.ts';
import { allEndpoints } from '../support/sweep/endpoints.ts';
import { newWorld } from '../support/world/world.ts';

const app = useApp(test, { retrySchedule: [0] });

/**
 * `npm run fuzz` sends every mutation to every place; `npm test` sends a fixed part of them, most to the first place of
 * its kind.
 */
const extent = process.env['FUZZ'] === undefined ? 'some' : 'all';
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const numRuns = extent === 'all' ? 5_000 : 150;
const timeoutMs = 1_800_000;

test.serial('a mutated call never causes a 500, and changes no row if it is rejected', async (t) => {
  t.timeout(timeoutMs);
  await using receiver = await startReceiver();
  const world = await newWorld(app, await newOrganization(app), receiver.url);
  const withNewSession = async () => {
    const org = await newOrganization(app);
    return { ...world, org, session: await org.session() };
  };
  const parts = { database: app.database, pick: extent === 'all' ? everything : createPicker(), world, withNewSession };
  const findings: string[] = [];
  let sent = 0;
  let accepted = 0;
  for (const each of allEndpoints) {
    const result = await sweep(each, parts);
    findings.push(...result.findings);
    sent += result.sent;
    accepted += result.accepted;
  }
  t.log(`${sent} calls, ${accepted} of them accepted`);
  t.deepEqual(findings, []);
});

test.serial('a call with random values never causes a 500, and changes no row if it is rejected', async (t) => {
  t.timeout(timeoutMs);
  t.log(`seed ${seed}; set FUZZ_SEED=${seed} to repeat it`);
  await using receiver = await startReceiver();
  const world = await newWorld(app, await newOrganization(app), receiver.url);
  const calls = allEndpoints
    .filter(({ name, endpoint: { body, query } }) => (body ?? query) && !isMultipart(body) && !name.startsWith('auth.'))
    .flatMap((each) => examplesOf(each).map((example) => ({ each, example })));
  let rows = await fingerprints(app.database);

  const isRight = fc.asyncProperty(randomChange, async (change) => {
    const { each, example } = itemAt(calls, change.call);
    const valid = callOf(each, example, await prepare(example, world), world);
    if (example.before) rows = await fingerprints(app.database);
    const sent = changed(each, valid, change);
    const response = await sendWire(world, each, wireOf(each.endpoint, sent));
    const before = rows;
    rows = await fingerprints(app.database);
    const hasChanged = JSON.stringify(rows) !== JSON.stringify(before);
    const problem =
      problemWith(each, response, true) ??
      (response.status >= 400 && hasChanged ? 'was rejected and changed rows' : null);
    const what = `${each.name} ${JSON.stringify(sent)} ${problem}: ${JSON.stringify(response.body)}`;
    if (problem) throw new Error(what);
  });
  await t.notThrowsAsync(fc.assert(isRight, { seed, numRuns }));
});

test.serial('a value that does not fit the type of its field is a 400 that names the field', async (t) => {
  const { api } = await newOrganization(app);
  const options = [{ key: 'a', label: 'A' }];
  const fields = fieldTypes.map((type) => ({
    label: `Field ${type}`,
    type,
    ...((type === 'DROPDOWN' || type === 'MULTI_SELECT') && { options }),
  }));
  const { templateId } = await publishProcess(api, [{ title: 'Form', fields }]);
  const { runTaskId } = (await launchRun(api, templateId)).byTitle('Form');
  const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId } }));
  const published = await must(api.call('templates', 'publishedFields', { params: { id: templateId } }));
  t.is(published.total, fieldTypes.length);

  for (const { runTaskFieldId, label } of published.data) {
    const submit = (value: unknown) =>
      api.raw('POST', '/execution/field-values', { body: { executionEntryId, runTaskFieldId, value } });
    const statuses = new Set<number>();
    for (const [what, value] of Object.entries({ ...sharpValues, ...otherValues })) {
      const { status, error } = await submit(value);
      statuses.add(status);
      if (status === 201 || status === 413) continue;
      t.is(status, 400, `${label} = ${what}: ${JSON.stringify(error)}`);
      for (const message of [error.message].flat()) t.regex(message, new RegExp(`^(value|body)\\b|"${label}"`), what);
    }
    t.true(statuses.has(400), label);
  }
});

test.serial('the examples have every property that queries and bodies declare', async (t) => {
  await using receiver = await startReceiver();
  const world = await newWorld(app, await newOrganization(app), receiver.url);
  for (const each of allEndpoints) {
    const calls = examplesOf(each).map((example) => callOf(each, example, world.ids, world));
    const present = new Set(calls.flatMap(presentProperties));
    // A cursor comes from an earlier page; a list without filters needs no example.
    const left = declaredProperties(each.endpoint).filter((name) => !/^query\.(cursor|after|limit)$/.test(name));
    const missing = left.filter((name) => !present.has(name));
    t.deepEqual(missing, [], `Describe a call of ${each.name} with these in test/support/examples.`);
  }
});
