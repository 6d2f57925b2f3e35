import { readFileSync } from 'node:fs';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { publishedPortal, shownBlocks, type Blocks } from '../support/portals.ts';

const app = useSharedApp(test);

const guide = new URL('../../../../docs/guides/portals.md', import.meta.url);

test('the page of the guide to portals can be published, and is shown with live data', async (t) => {
  const { api } = await newOrganization(app);
  const [, example = ''] = /^```json\n([^]*?)^```$/m.exec(readFileSync(guide, 'utf8')) ?? [];
  const blocks = JSON.parse(example) as Blocks;
  const { portal, page } = await publishedPortal(api, blocks);
  t.deepEqual(page.blocks, blocks);
  const { templateId } = await publishProcess(api);
  const { id } = await launchRun(api, templateId, { title: 'Acme' });
  const titles = async () => {
    const list = (await shownBlocks(api, portal.slug)).find(({ type }) => type === 'RUN_LIST');
    return list?.type === 'RUN_LIST' ? list.runs.map(({ title }) => title) : null;
  };
  t.deepEqual(await titles(), ['Acme']);
  await must(api.call('runs', 'cancel', { params: { id } }));
  t.deepEqual(await titles(), []);
});
