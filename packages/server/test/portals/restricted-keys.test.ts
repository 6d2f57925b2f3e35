import { scopes, type Report } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { createPage, createPortal, publish, publishedPortal, setBlocks, type Blocks } from '../support/portals.ts';
import { newFolder } from '../support/templates.ts';

const app = useSharedApp(test);

const runs = (filters: Report['filters']): Report => ({ metric: 'RUNS', filters, groupBy: 'NONE', chart: 'NUMBER' });

const tooMuch =
  "The API key's resource mode SELECTED_TEMPLATES does not grant access to all runs that this block shows; " +
  'name templates or folders that the key lists in its filters.';

const outside =
  "The API key's resource mode SELECTED_TEMPLATES does not grant access to every template and folder that this portal names; " +
  'use a key that does.';

/** An organization with a key for one of its two templates, and a preset that shows runs of both. */
async function newSetting() {
  const org = await newOrganization(app);
  const { templateId: own } = await publishProcess(org.api);
  const { templateId: other } = await publishProcess(org.api);
  await launchRun(org.api, other);
  const key = await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [own] });
  const saved = { name: 'All runs', report: runs({}) };
  const preset = await must(org.api.call('portals.reportPresets', 'create', { body: saved }));
  const unbounded: Blocks = [
    { type: 'RUN_LIST', filters: {} },
    { type: 'RUN_LIST', filters: { statuses: ['RUNNING'] } },
    { type: 'REPORT', report: runs({}) },
    { type: 'REPORT', presetId: preset.id },
  ];
  return { org, own, other, key, unbounded };
}

test('a restricted key cannot make a block that shows runs of all templates', async (t) => {
  const { own, key, unbounded } = await newSetting();
  const { id } = await createPortal(key);
  const page = await createPage(key, id);
  for (const block of unbounded) await isRejected(t, setBlocks(key, page, [block]), 403, tooMuch);
  t.is((await setBlocks(key, page, [{ type: 'RUN_LIST', filters: { templateIds: [own] } }])).status, 200);
});

test('a restricted key cannot show a folder of which it lists only a template', async (t) => {
  const { org, own, key } = await newSetting();
  const folderId = await newFolder(app, org.organizationId);
  await must(org.api.call('templates', 'update', { params: { id: own }, body: { folderId } }));
  const blocks: Blocks = [{ type: 'RUN_LIST', filters: { folderIds: [folderId] } }];
  const { id } = await createPortal(key);
  const page = await createPage(key, id);
  await isRejected(t, setBlocks(key, page, blocks), 403, tooMuch);
  const both = { templateIds: [own], folderIds: [folderId] };
  t.is((await setBlocks(key, page, [{ type: 'RUN_LIST', filters: both }])).status, 200);
  t.is((await key.call('portals', 'get', { params: { portalId: id } })).status, 200);
  const { portal } = await publishedPortal(org.api, blocks);
  await isRejected(t, key.call('portals', 'get', { params: { portalId: portal.id } }), 403, outside);
  const whole = await org.key({ scopes, resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [folderId] });
  t.is((await whole.call('portals', 'get', { params: { portalId: portal.id } })).status, 200);
});

test('a restricted key cannot open a portal with runs of all templates to the public', async (t) => {
  const { org, own, key, unbounded } = await newSetting();
  for (const block of unbounded) {
    const { portal } = await publishedPortal(org.api, [block], { audience: 'RESTRICTED' });
    const params = { portalId: portal.id };
    await isRejected(t, key.call('portals', 'update', { params, body: { audience: 'PUBLIC' } }), 403, outside);
  }
  const { portal } = await publishedPortal(org.api, [
    { type: 'RUN_LIST', filters: { templateIds: [own] } },
    { type: 'DIVIDER' },
  ]);
  const { data } = await must(key.call('portals', 'list'));
  t.deepEqual(
    data.map(({ id }) => id),
    [portal.id],
  );
});

test('what a portal has published counts for restricted keys, not only its draft', async (t) => {
  const { org, key, unbounded } = await newSetting();
  const { portal, page } = await publishedPortal(org.api, unbounded);
  const read = () => key.call('portals', 'get', { params: { portalId: portal.id } });
  await must(setBlocks(org.api, page, []));
  await isRejected(t, read(), 403, outside);
  await publish(org.api, portal.id);
  t.is((await read()).status, 200);
});

test('a message counts the portals outside the resource scope, and does not name them', async (t) => {
  const { org, own, key, unbounded } = await newSetting();
  const body = { name: 'Own runs', report: runs({ templateIds: [own] }) };
  const { id: presetId } = await must(org.api.call('portals.reportPresets', 'create', { body }));
  const block = { type: 'REPORT' as const, presetId };
  await publishedPortal(org.api, [block, ...unbounded]);
  await publishedPortal(org.api, [block], { name: 'Visible' });
  const uses = '"page" of "Visible", 1 outside the resource scope';
  const message = `The report preset cannot be deleted while pages of portals use it: ${uses}; change these pages and publish first.`;
  await isRejected(t, key.call('portals.reportPresets', 'delete', { params: { presetId } }), 400, message);
});
