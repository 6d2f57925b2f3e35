import { randomUUID } from 'node:crypto';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { addTask, newTemplate } from '../support/templates.ts';

const app = useSharedApp(test);

test('a template launches runs from its published version, whatever its draft says', async (t) => {
  const { api, ownerUserId } = await newOrganization(app);
  const { templateId: id, versionId } = await publishProcess(api, [{ title: 'A' }], { name: 'Hire' });
  await addTask(api, id, { title: 'Not yet' });

  const { status, body } = await api.call('templates.runs', 'launch', { params: { id } });

  t.is(status, 201);
  t.deepEqual(body, {
    id: body.id,
    publicId: body.publicId,
    title: 'Hire',
    status: 'RUNNING',
    templateId: id,
    templateVersionId: versionId,
    ownerUserId,
    createdAt: body.createdAt,
  });
  const run = await must(api.call('runs', 'get', { params: { id: body.id } }));
  t.deepEqual(
    run.tasks.map(({ title }) => title),
    ['A'],
  );

  const version = await must(api.call('templates', 'publish', { params: { id } }));
  const next = await must(
    api.call('templates.runs', 'launch', { params: { id }, body: { templateId: id, title: 'Second' } }),
  );
  t.like(next, { title: 'Second', templateVersionId: version.id });
});

test('a launch with an invalid body is a 400, and nothing is launched', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId: other } = await publishProcess(api);
  const { templateId: id } = await publishProcess(api);
  for (const [body, message] of [
    [{ templateId: other }, [`templateId: is ${other} in the body and ${id} in the path; omit it in the body`]],
    [{ title: '' }, ['title: must not be empty']],
    [{ scheduledDateLocal: '2030-02-30' }, ['scheduledDateLocal: must be a date like 2026-03-01']],
  ] as const) {
    await isRejected(t, api.raw('POST', `/templates/${id}/runs`, { body }), 400, [...message]);
  }
  const draft = await newTemplate(api);
  await isRejected(
    t,
    api.call('templates.runs', 'launch', { params: { id: draft } }),
    400,
    'The template has no published version; publish it first.',
  );
  t.is((await must(api.call('runs', 'counts'))).total, 0);
});

test('the list holds the runs of this template only, newest first, filtered and paged', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId: id } = await publishProcess(api);
  const other = await publishProcess(api);
  const runs = [await launchRun(api, id), await launchRun(api, id), await launchRun(api, id)];
  await launchRun(api, other.templateId);
  const [first = '', second = '', third = ''] = runs.map((run) => run.id);
  await must(api.call('runs', 'cancel', { params: { id: first } }));
  const list = (query: object) => must(api.call('templates.runs', 'list', { params: { id }, query }));

  const page = await list({ limit: 2 });
  t.deepEqual(
    page.data.map((run) => run.id),
    [third, second],
  );
  t.like(page, { total: 3, hasMore: true });
  const rest = await list({ limit: 2, cursor: page.nextCursor });
  t.deepEqual(
    rest.data.map((run) => run.id),
    [first],
  );
  t.like(rest, { total: 3, hasMore: false, nextCursor: null });
  t.deepEqual((await list({ status: 'CANCELLED' })).data, rest.data);
  t.deepEqual((await list({ status: 'COMPLETED' })).data, []);

  const sameAsRuns = await must(api.call('runs', 'list', { query: { templateId: id } }));
  t.deepEqual(await list({}), sameAsRuns);
  await isRejected(t, api.raw('GET', `/templates/${id}/runs?templateId=${randomUUID()}`), 400, [
    'templateId: unknown parameter; remove it',
  ]);
});
