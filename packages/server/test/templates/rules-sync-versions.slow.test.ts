import type { BodyInput, Contract } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must } from '@runward/testing/process';
import test from 'ava';
import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check';
import { syncRules } from '../../src/runs/change/sync-rules.ts';
import { Run } from '../../src/runs/entities/run.ts';
import { TemplateVersion } from '../../src/templates/entities/template-version.ts';
import { isFolded } from '../support/folded-run.ts';
import { publishDraft } from '../support/templates.ts';

// A sync works on the templates of all tests, so they run one after the other.
const app = useApp(test);

/** Runs the rule syncs to their end, or so many batches of 20 runs, after which the process ends. */
const sync = async (batches = Infinity) => {
  let begun = 0;
  const signal = Object.defineProperty(new AbortController().signal, 'aborted', { get: () => (begun += 1) > batches });
  return syncRules({ ...app, signal });
};

type Rule = NonNullable<BodyInput<Contract['templates.draft']['replace']>['tasks'][number]['rules']>[number];

/**
 * Publishes a template with an optional task, a required one, "Pack", and more. `publish` publishes it with or without
 * a rule that hides "Pack".
 */
async function publishPacking(api: Api, more: readonly { title: string }[] = []) {
  const id = await publishDraft(api, [
    { title: 'Ask', required: false, fields: [{ label: 'Answer', type: 'TEXT' }] },
    { title: 'Pack' },
    ...more,
  ]);
  const { tasks } = await must(api.call('templates.draft', 'get', { params: { id } }));
  const [ask, pack, ...others] = tasks;
  const field = ask?.fields[0];
  if (!pack || !field) throw new Error('The template lacks what it was published with.');
  const asked = {
    id: ask.id,
    title: 'Ask',
    required: false,
    fields: [{ id: field.id, label: 'Answer', type: 'TEXT' as const }],
  };
  const hides: Rule = {
    conditions: [{ source: { type: 'FIELD', fieldId: field.id }, operator: 'IS_EMPTY' }],
    actions: [{ type: 'HIDE', taskIds: [pack.id] }],
  };
  let published = 0;
  const publish = async (isHidden: boolean, syncRules: boolean) => {
    published += 1;
    // Versions differ, whatever their rules are.
    const description = `Version ${published}`;
    const rules = isHidden ? [hides] : [];
    const kept = [pack, ...others].map((task) => ({ id: task.id, title: task.title }));
    const body = { phases: [], tasks: [{ ...asked, description, rules }, ...kept], variables: [] };
    await must(api.call('templates.draft', 'replace', { params: { id }, body }));
    return must(api.call('templates', 'publish', { params: { id }, body: { syncRules } }));
  };
  return { id, publish };
}

const statusOf = (api: Api, id: string) => must(api.call('templates', 'rulesSyncStatus', { params: { id } }));
const migrate = (api: Api, id: string, toVersionId: string) =>
  must(api.call('runs', 'migrate', { params: { id }, body: { toVersionId } }));

async function launchMany(api: Api, templateId: string, count: number): Promise<string[]> {
  const runs = Array.from({ length: count }, () => ({ templateId }));
  const { results } = await must(api.call('runs', 'bulkLaunch', { body: { runs } }));
  return results.flatMap(({ run }) => run?.id ?? []);
}

test.serial('a running rule sync leaves runs of a version that was published after it as they are', async (t) => {
  const { api } = await newOrganization(app);
  const { id, publish } = await publishPacking(api);
  const [old, migrated] = [await launchRun(api, id), await launchRun(api, id)];
  const hiding = await publish(true, true);
  const fixed = await publish(false, false);
  const launched = await launchRun(api, id);
  await migrate(api, migrated.id, fixed.id);
  t.like(await statusOf(api, id), { status: 'RUNNING', total: 2, processed: 0 });
  await sync();

  for (const run of [launched, migrated]) {
    const kept = await getRun(api, run.id);
    t.like(kept, { templateVersionId: fixed.id, rulesVersionId: null, status: 'RUNNING' });
    t.false(kept.byTitle('Pack').hidden);
  }
  t.like(await getRun(api, old.id), { rulesVersionId: hiding.id, status: 'COMPLETED' });
  t.like(await statusOf(api, id), { status: 'COMPLETED', total: 2, processed: 2, failed: [] });
});

test.serial('an unchanged draft that is published again with a rule sync gives active runs the rules', async (t) => {
  const { api } = await newOrganization(app);
  const { id, publish } = await publishPacking(api, [{ title: 'Ship' }]);
  const runIds = await launchMany(api, id, 21);
  await publish(true, false);
  const again = async (body: { syncRules: boolean }) =>
    must(api.call('templates', 'publish', { params: { id }, body }));

  await again({ syncRules: false });
  t.like(await statusOf(api, id), { status: 'COMPLETED', total: 0 });
  const latest = await again({ syncRules: true });
  t.like(await statusOf(api, id), { status: 'RUNNING', total: 21, processed: 0 });
  await sync();
  t.like(await statusOf(api, id), { status: 'COMPLETED', total: 21, processed: 21 });
  for (const runId of runIds) t.is((await getRun(api, runId)).rulesVersionId, latest.id);
  await again({ syncRules: true });
  await sync();
  t.like(await statusOf(api, id), { status: 'COMPLETED', total: 21, processed: 21 });
  for (const runId of runIds) t.is((await getRun(api, runId)).rulesVersionId, latest.id);
});

test.serial('a rule sync that was ended between two batches goes on with runs of earlier versions only', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { id, publish } = await publishPacking(api);
  const first = await publish(true, false);
  const runIds = await launchMany(api, id, 23);
  const [done = '', returned = '', ahead = '', last = ''] = [runIds[0], runIds[20], runIds[21], runIds[22]];
  const second = await publish(false, true);
  await sync(1);
  t.like(await statusOf(api, id), { status: 'RUNNING', total: 23, processed: 20 });
  const third = await publish(true, false);
  for (const runId of [done, returned, ahead]) await migrate(api, runId, third.id);
  for (const runId of [done, returned]) await migrate(api, runId, first.id);
  const launched = await launchRun(api, id);
  await sync();

  t.like(await statusOf(api, id), { status: 'COMPLETED', total: 23, processed: 23 });
  const followed = async (runId: string) => {
    const { templateVersionId, rulesVersionId } = await getRun(api, runId);
    return [templateVersionId, rulesVersionId];
  };
  t.deepEqual(await followed(done), [first.id, null]);
  t.deepEqual(await followed(returned), [first.id, second.id]);
  t.deepEqual(await followed(ahead), [third.id, null]);
  t.deepEqual(await followed(last), [first.id, second.id]);
  t.deepEqual(await followed(launched.id), [third.id, null]);
  for (const runId of [done, returned, ahead]) await isFolded(t, app, organizationId, runId);
});

test.serial(
  'no run has rules of a version before its own, in whatever order versions are published and runs follow them',
  async (t) => {
    const { api, organizationId } = await newOrganization(app);
    const step = record({
      kind: constantFrom('publish', 'publish without sync', 'launch', 'migrate', 'batch'),
      pick: nat(),
      isHidden: constantFrom(true, false),
    });
    let synchronized = 0;
    const property = asyncProperty(array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
      // "Ship" keeps runs active.
      const { id, publish } = await publishPacking(api, [{ title: 'Ship' }]);
      const em = app.database.em.fork();
      const numbersBefore = new Map<string, number>();
      const check = async (migratedId?: string) => {
        const of = { organizationId, templateId: id };
        const versions = await em.find(TemplateVersion, of, { disableIdentityMap: true });
        const numbers = new Map(versions.map((version) => [version.id, version.number]));
        for (const run of await em.find(Run, of, { disableIdentityMap: true })) {
          const own = numbers.get(run.templateVersionId) ?? NaN;
          const number = numbers.get(run.rulesVersionId ?? run.templateVersionId) ?? NaN;
          t.true(number >= own, `A run of version ${own} has the rules of version ${number}.`);
          const before = run.id === migratedId ? 0 : (numbersBefore.get(run.id) ?? 0);
          t.true(number >= before, `A run has the rules of version ${number} after those of version ${before}.`);
          if (number > own) synchronized += 1;
          numbersBefore.set(run.id, number);
        }
      };
      const runIds = await launchMany(api, id, 18);
      const first = (await getRun(api, runIds[0] ?? '')).templateVersionId;
      const versionIds = [first];
      for (const { kind, pick, isHidden } of steps) {
        let migratedId: string | undefined;
        if (kind === 'launch') runIds.push(...(await launchMany(api, id, 1 + (pick % 9))));
        else if (kind === 'batch') await sync(1);
        else if (kind === 'migrate') {
          migratedId = runIds[pick % runIds.length] ?? '';
          await migrate(api, migratedId, versionIds[pick % versionIds.length] ?? first);
        } else versionIds.push((await publish(isHidden, kind === 'publish')).id);
        await check(migratedId);
      }
      await sync();
      await check();
      const { status, total, processed } = await statusOf(api, id);
      t.deepEqual([status, processed], ['COMPLETED', total]);
    });
    await assert(property, { numRuns: 8, endOnFailure: true });
    t.true(synchronized > 100, `${synchronized} runs with synchronized rules`);
  },
);
