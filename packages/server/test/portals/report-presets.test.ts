import { scopes, type Report } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { createPage, createPortal, publish, publishedPortal, setBlocks, shownBlocks } from '../support/portals.ts';

const app = useSharedApp(test);

const runs: Report = { metric: 'RUNS', filters: {}, groupBy: 'NONE', chart: 'NUMBER' };

test('presets are saved, listed newest first, shown in several pages, and deleted when none uses them', async (t) => {
  const org = await newOrganization(app);
  const { api, ownerUserId: createdByUserId } = org;
  const create = (name: string, report: Report = runs) =>
    must(api.call('portals.reportPresets', 'create', { body: { name, report } }));
  const first = await create('First');
  t.deepEqual(first, { id: first.id, name: 'First', report: runs, createdByUserId, createdAt: first.createdAt });
  const second = await create('Second');
  const list = (query = {}) => must(api.call('portals.reportPresets', 'list', { query }));
  const page = await list({ limit: 1 });
  t.deepEqual([page.total, page.data], [2, [second]]);
  t.deepEqual((await list({ cursor: page.nextCursor ?? '' })).data, [first]);

  const { templateId } = await publishProcess(api);
  await launchRun(api, templateId);
  const block = { type: 'REPORT' as const, presetId: first.id };
  const shown = await publishedPortal(api, [block, { type: 'REPORT', title: 'Same', report: runs }]);
  const draft = await createPortal(api, { name: 'Draft' });
  const drafted = await createPage(api, draft.id, 'drafted', [block]);
  const [one, same] = await shownBlocks(api, shown.portal.slug);
  t.deepEqual({ ...one, title: 'Same' }, same as never);
  t.like(one, { title: null, rows: [{ label: 'All runs', value: 1 }], notices: [] });

  const remove = () => api.call('portals.reportPresets', 'delete', { params: { presetId: first.id } });
  const inUse = (...uses: string[]) =>
    `The report preset cannot be deleted while pages of portals use it: ${uses.join(', ')}; change these pages and publish first.`;
  await isRejected(t, remove(), 400, inUse('"drafted" of "Draft"', '"page" of "Portal"'));
  await must(setBlocks(api, drafted, []));
  await must(setBlocks(api, shown.page, []));
  await isRejected(t, remove(), 400, inUse('"page" of "Portal"'));
  await publish(api, shown.portal.id);
  t.is((await remove()).status, 204);
  await isRejected(t, remove(), 404, 'Report preset not found.');
  const unknown = ['blocks[0].presetId: not a report preset of this organization; see GET /portals/report-presets'];
  await isRejected(t, setBlocks(api, drafted, [block]), 400, unknown);
  t.deepEqual((await list()).data, [second]);
});

test('a preset that is deleted while a page is about to use it is either deleted or used', async (t) => {
  const { api } = await newOrganization(app);
  const { id: portalId } = await createPortal(api);
  const page = await createPage(api, portalId);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await must(setBlocks(api, page, []));
    const { id } = await must(api.call('portals.reportPresets', 'create', { body: { name: 'Preset', report: runs } }));
    const [used, deleted] = await Promise.all([
      setBlocks(api, page, [{ type: 'REPORT', presetId: id }]),
      api.call('portals.reportPresets', 'delete', { params: { presetId: id } }),
    ]);
    t.true(
      (used.status === 200 && deleted.status === 400) || (used.status === 400 && deleted.status === 204),
      `${used.status} ${deleted.status}`,
    );
  }
});

test('a report has the figures of analytics, within the scope of the key, and names no one in public', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const [one, other] = [
    await publishProcess(api, undefined, { name: 'One' }),
    await publishProcess(api, undefined, { name: 'Other' }),
  ];
  for (const { templateId } of [one, one, other]) {
    const { byTitle } = await launchRun(api, templateId);
    const taskId = byTitle('Only task').runTaskId;
    if (templateId === other.templateId)
      await must(api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));
  }
  const reports: Report[] = [
    { ...runs, groupBy: 'STATUS', chart: 'TABLE' },
    { ...runs, groupBy: 'TEMPLATE', chart: 'BAR' },
    { ...runs, groupBy: 'OWNER', chart: 'BAR' },
    { ...runs, metric: 'COMPLETION_RATE' },
    { ...runs, groupBy: 'DAY', chart: 'LINE' },
  ];
  const { portal } = await publishedPortal(
    api,
    reports.map((report) => ({ type: 'REPORT', report })),
  );
  const rowsFor = async (caller: typeof api) =>
    (await shownBlocks(caller, portal.slug)).map((block) => (block.type === 'REPORT' ? block.rows : null));
  const stranger = await newOrganization(app);
  const [statuses, templates, owners, rate, days] = await rowsFor(stranger.api);
  const summary = await must(api.call('analytics', 'summary'));
  t.deepEqual(
    statuses?.map(({ value }) => value),
    Object.values(summary.byStatus),
  );
  t.deepEqual(templates, [
    { label: 'One', value: 2 },
    { label: 'Other', value: 1 },
  ]);
  t.is(owners, null);
  t.deepEqual(rate, [{ label: 'All runs', value: summary.completionRate }]);
  t.deepEqual(
    days,
    summary.perDay.map(({ date, started }) => ({ label: date, value: started })),
  );
  const [, , hidden] = await shownBlocks(api, portal.slug);
  t.like(hidden, { groupBy: 'OWNER', rows: null, notices: ['OWNERS_HIDDEN'], period: { to: summary.range.to } });
  const { ownerUserId } = org;
  const owner = (await must(api.call('users', 'list'))).data.find(({ id }) => id === ownerUserId);
  const params = { portalId: portal.id };
  await must(api.call('portals', 'update', { params, body: { audience: 'RESTRICTED' } }));
  t.deepEqual((await rowsFor(api))[2], [{ label: owner?.name ?? '', value: 3 }]);

  const scopedTemplateIds = [other.templateId];
  const key = await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds });
  t.deepEqual((await rowsFor(key))[1], [{ label: 'Other', value: 1 }]);
});

test('a period must be valid, and a report whose period becomes invalid says so', async (t) => {
  const org = await newOrganization(app, { timeZone: 'Pacific/Kiritimati' });
  const { api } = org;
  const create = (filters: Report['filters']) =>
    api.call('portals.reportPresets', 'create', { body: { name: 'Preset', report: { ...runs, filters } } });
  const rule = 'must be at most 10 years before createdTo and not after it; createdTo is today unless it is given';
  const invalid = [`report.filters.createdFrom: ${rule}`];
  await isRejected(t, create({ createdFrom: '2999-01-01' }), 400, invalid);
  await isRejected(t, create({ createdFrom: '2000-01-01' }), 400, invalid);
  await isRejected(t, create({ createdFrom: '2000-01-01', createdTo: '2010-01-01' }), 400, invalid);
  const reversed = ['report.filters.createdTo: must not be before createdFrom'];
  await isRejected(t, create({ createdFrom: '2026-01-02', createdTo: '2026-01-01' }), 400, reversed);
  t.is((await create({ createdFrom: '2000-01-01', createdTo: '2009-12-31' })).status, 201);

  const { range } = await must(api.call('analytics', 'summary'));
  const { portal, page } = await publishedPortal(api, [
    { type: 'REPORT', report: { ...runs, filters: { createdFrom: range.to } } },
  ]);
  const shown = async () => (await shownBlocks(api, portal.slug))[0];
  t.like(await shown(), { period: { from: range.to, to: range.to }, rows: [{ value: 0 }], notices: [] });
  // There it is still yesterday.
  const owner = await org.session();
  await must(owner.call('organization', 'update', { body: { timezone: 'Pacific/Pago_Pago' } }));
  t.like(await shown(), { period: null, rows: null, notices: ['PERIOD_INVALID'] });
  const own = await setBlocks(api, page, [{ type: 'REPORT', report: { ...runs, filters: { createdFrom: range.to } } }]);
  await isRejected(t, own, 400, [`blocks[0].report.filters.createdFrom: ${rule}`]);
  const blocks = [{ type: 'REPORT' as const }];
  await isRejected(t, setBlocks(api, page, blocks), 400, ['blocks[0]: must have either presetId or report']);
});

test('a restricted key sees, uses and deletes presets that name only its templates', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const [inside, outside] = [await publishProcess(api), await publishProcess(api)];
  const create = async (caller: typeof api, templateId: string) => {
    const report = { ...runs, filters: { templateIds: [templateId] } };
    return caller.call('portals.reportPresets', 'create', { body: { name: 'Preset', report } });
  };
  const scopedTemplateIds = [inside.templateId];
  const key = await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds });
  const own = await must(create(key, inside.templateId));
  const foreign = await must(create(api, outside.templateId));
  t.deepEqual((await must(key.call('portals.reportPresets', 'list'))).data, [own]);
  const { id: portalId } = await createPortal(key);
  const page = await createPage(key, portalId, 'page', [{ type: 'REPORT', presetId: own.id }]);
  for (const attempt of [
    create(key, outside.templateId),
    setBlocks(key, page, [{ type: 'REPORT', presetId: foreign.id }]),
    key.call('portals.reportPresets', 'delete', { params: { presetId: foreign.id } }),
  ]) {
    const { status, error } = await attempt;
    t.is(status, 403);
    t.regex(String(error.message), /^The API key's resource mode SELECTED_TEMPLATES does not grant access to /);
  }
  await must(setBlocks(key, page, []));
  t.is((await key.call('portals.reportPresets', 'delete', { params: { presetId: own.id } })).status, 204);
});
