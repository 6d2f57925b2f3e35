import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { loadRuns } from '../../../src/runs/store/load.ts';
import { countStatements } from '../../support/database/statements.ts';
import { publishDraft } from '../../support/templates.ts';

const app = useApp(test);

/** The numbers of runs in the batches in which these are read. */
async function batchesOf(organizationId: string, runIds: readonly string[]): Promise<number[]> {
  const sizes: number[] = [];
  for await (const runs of loadRuns(app.database.em.fork(), organizationId, runIds)) sizes.push(runs.length);
  return sizes;
}

test.serial('many runs are read 40 at a time, because each can have 500 tasks', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const runs = await Promise.all(Array.from({ length: 45 }, () => launchRun(api, templateId)));
  const ids = runs.map(({ id }) => id);
  t.deepEqual(await batchesOf(organizationId, ids), [40, 5]);
});

test.serial('runs of large templates are read in batches that hold few of their documents', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const tasks = Array.from({ length: 500 }, (_, index) => ({ title: `Task ${index}`, description: 'x'.repeat(2_000) }));
  const templateIds: string[] = [];
  for (let index = 0; index < 10; index += 1) templateIds.push(await publishDraft(api, tasks));

  const ids: string[] = [];
  for (const templateId of templateIds) ids.push((await launchRun(api, templateId)).id);
  const batches = await batchesOf(organizationId, ids);
  t.true(batches.length > 1, `in batches of ${batches.join(', ')} runs`);
  t.is(
    batches.reduce((sum, size) => sum + size, 0),
    ids.length,
  );
});

test.serial('a list of tasks reads each version that it needs once, and one after the other', async (t) => {
  const { api } = await newOrganization(app);
  for (let index = 0; index < 2; index += 1) {
    const { templateId } = await publishProcess(api, [{ title: 'A' }, { title: 'B' }]);
    for (let run = 0; run < 3; run += 1) await launchRun(api, templateId);
  }
  app.database.em
    .fork()
    .shared((caches) => caches)
    .clear();
  const counted = countStatements('"template_versions"');
  const { data } = await must(api.call('runs.tasks', 'list'));
  t.is(counted.stop(), 2);
  t.is(data.length, 12);
});
