import { randomUUID } from 'node:crypto';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { connectTo } from '../support/database/connect.ts';
import { untilOthersQueue, untilOthersWait } from '../support/database/locks.ts';
import { isRejected } from '../support/expect-rejection.ts';
import { addTask, newFolder, newShare, newTemplate, readTasks, readTemplate } from '../support/templates.ts';

const app = useSharedApp(test);

test('a new template is an empty draft', async (t) => {
  const { api } = await newOrganization(app);

  const { status, body } = await api.call('templates', 'create', { body: { name: '  Onboarding ' } });

  t.is(status, 201);
  t.deepEqual(body, {
    id: body.id,
    name: 'Onboarding',
    description: null,
    folderId: null,
    runTitlePattern: null,
    status: 'DRAFT',
    publishedVersionId: null,
    hasUnpublishedChanges: true,
    backgroundImage: null,
    createdAt: body.createdAt,
    updatedAt: body.createdAt,
    version: '1',
  });
  t.regex(body.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.deepEqual(await readTemplate(api, body.id), body);
  t.deepEqual(await readTasks(api, body.id), []);
});

test('a template can be created with a description, a folder and a title pattern', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const folderId = await newFolder(app, organizationId);
  const settings = { name: 'Hire', description: '', folderId: folderId.toUpperCase(), runTitlePattern: '{{name}}' };

  const { body } = await api.call('templates', 'create', { body: settings });

  t.like(body, { ...settings, folderId });
  t.deepEqual(await readTemplate(api, body.id), body);
});

test('invalid settings are rejected by name, on creation and on update', async (t) => {
  const { api } = await newOrganization(app);
  const stranger = await newOrganization(app);
  const foreignFolder = await newFolder(app, stranger.organizationId);
  const id = await newTemplate(api);
  const before = await readTemplate(api, id);
  const noFolder = ['folderId: not a folder of this organization; see GET /folders, or send null'];
  for (const [body, message] of [
    [{ name: '' }, ['name: must not be empty']],
    [{ name: 'x'.repeat(256) }, ['name: must be at most 255 characters']],
    [{ name: null }, ['name: must be a string']],
    [{ name: 'A', description: 'x'.repeat(2001) }, ['description: must be at most 2000 characters']],
    [
      { name: 'A', colour: 'red', status: 'PUBLISHED' },
      ['colour', 'status'].map((key) => `${key}: unknown parameter; remove it`),
    ],
    [{ name: 'A', folderId: 'top' }, ['folderId: must be a UUID']],
    [{ name: 'A', folderId: randomUUID() }, noFolder],
    [{ name: 'A', folderId: foreignFolder }, noFolder],
    [{ name: 'A', runTitlePattern: ' ' }, ['runTitlePattern: must not be empty']],
  ] as const) {
    await isRejected(t, api.raw('POST', '/templates', { body }), 400, [...message]);
    await isRejected(t, api.raw('PUT', `/templates/${id}`, { body }), 400, [...message]);
  }
  await isRejected(t, api.raw('POST', '/templates', { body: {} }), 400, ['name: is required']);
  t.deepEqual(await readTemplate(api, id), before);
  t.is((await must(api.call('templates', 'list'))).total, 1);
});

test('the list is newest first, filtered by status and folder, paged by cursor, with an exact total', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const folderId = await newFolder(app, organizationId);
  const first = await newTemplate(api, { folderId });
  const { templateId: second } = await publishProcess(api, [{ title: 'A' }], { folderId });
  const { templateId: third } = await publishProcess(api);
  const fourth = await newTemplate(api);
  const gone = await newTemplate(api, { folderId });
  await must(api.call('templates', 'archive', { params: { id: third } }));
  await must(api.call('templates', 'archive', { params: { id: fourth } }));
  await must(api.call('templates', 'delete', { params: { id: gone } }));
  const list = async (query: object) => {
    const { data, total } = await must(api.call('templates', 'list', { query }));
    t.is(total, data.length);
    return data.map(({ id }) => id);
  };

  t.deepEqual(await list({}), [fourth, third, second, first]);
  t.deepEqual(await list({ status: 'DRAFT' }), [first]);
  t.deepEqual(await list({ status: 'PUBLISHED' }), [second]);
  t.deepEqual(await list({ status: 'ARCHIVED' }), [fourth, third]);
  t.deepEqual(await list({ folderId }), [second, first]);
  t.deepEqual(await list({ folderId, status: 'PUBLISHED' }), [second]);
  t.deepEqual(await list({ folderId: randomUUID() }), []);

  const page = await must(api.call('templates', 'list', { query: { limit: 3 } }));
  t.like(page, { total: 4, hasMore: true });
  t.deepEqual(page.data[2], await readTemplate(api, second));
  const rest = await must(api.call('templates', 'list', { query: { limit: 3, cursor: page.nextCursor ?? '' } }));
  t.deepEqual(rest, { data: [await readTemplate(api, first)], total: 4, hasMore: false, nextCursor: null });
  for (const query of ['status=GONE', 'folderId=top', 'limit=201', 'colour=red', 'cursor=x']) {
    t.is((await api.raw('GET', `/templates?${query}`)).status, 400, query);
  }
});

test('the list filtered by a part of the name ignores case and takes every character literally', async (t) => {
  const { api } = await newOrganization(app);
  for (const name of ['Onboarding', 'Re-onboard', 'ÄRGER 100%', 'snake_case', String.raw`C:\temp`]) {
    await newTemplate(api, { name });
  }
  const namesWith = async (name: string, query: object = {}) => {
    const { data, total } = await must(api.call('templates', 'list', { query: { name, ...query } }));
    if (!('limit' in query)) t.is(total, data.length);
    return data.map((template) => template.name);
  };

  t.deepEqual(await namesWith('ONBOARD'), ['Re-onboard', 'Onboarding']);
  t.deepEqual(await namesWith('ärger'), ['ÄRGER 100%']);
  t.deepEqual(await namesWith('%'), ['ÄRGER 100%']);
  t.deepEqual(await namesWith('_'), ['snake_case']);
  t.deepEqual(await namesWith('\\'), [String.raw`C:\temp`]);
  t.deepEqual(await namesWith('\\%'), []);
  t.deepEqual(await namesWith('on_oard'), []);
  t.deepEqual(await namesWith('onboard', { status: 'PUBLISHED' }), []);
  t.deepEqual(await namesWith('onboard', { limit: 1 }), ['Re-onboard']);
  await isRejected(t, api.raw('GET', '/templates?name='), 400, [
    'name: must not be empty; leave it out for all templates',
  ]);
});

test('an update changes only the given properties, immediately', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const folderId = await newFolder(app, organizationId);
  const { templateId: id } = await publishProcess(api, [{ title: 'A' }], { name: 'Old', description: 'About' });
  const before = await readTemplate(api, id);
  const update = async (body: object) => {
    const answer = await api.raw('PUT', `/templates/${id}`, { body });
    t.is(answer.status, 200);
    t.deepEqual(answer.body, await readTemplate(api, id));
    return readTemplate(api, id);
  };

  const moved = await update({ folderId, runTitlePattern: 'Run of {{name}}' });
  const { updatedAt, version } = moved;
  t.is(Number(version), Number(before.version) + 1);
  t.deepEqual(moved, { ...before, folderId, runTitlePattern: 'Run of {{name}}', updatedAt, version });
  t.false(moved.hasUnpublishedChanges);
  t.is((await launchRun(api, id)).title, 'Run of Old');

  t.deepEqual(await update({}), moved);
  t.deepEqual(await update({ name: 'Old', folderId, description: 'About' }), moved);

  const cleared = await update({ description: null, folderId: null, runTitlePattern: null, name: 'New' });
  t.like(cleared, { name: 'New', description: null, folderId: null, runTitlePattern: null });
  t.is((await launchRun(api, id)).title, 'New');
});

test('a template with active runs cannot be deleted; once deleted, its runs stay', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId: id } = await publishProcess(api);
  const runs = [await launchRun(api, id), await launchRun(api, id)];
  const remove = () => api.call('templates', 'delete', { params: { id } });
  const message = (runs: string, them: string) =>
    `The template cannot be deleted while it has ${runs}; complete or cancel ${them} first.`;

  await isRejected(t, remove(), 400, message('2 active runs', 'them'));
  await must(api.call('runs', 'cancel', { params: { id: runs[0]?.id ?? '' } }));
  await isRejected(t, remove(), 400, message('1 active run', 'it'));
  const { runTaskId: taskId } = (await getRun(api, runs[1]?.id ?? '')).byTitle('Only task');
  await must(api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));

  const removed = await remove();
  t.deepEqual([removed.status, removed.body], [204, undefined]);
  await isRejected(t, remove(), 404, 'Template not found.');
  t.is((await getRun(api, runs[0]?.id ?? '')).status, 'CANCELLED');
  t.is((await getRun(api, runs[1]?.id ?? '')).status, 'COMPLETED');
  t.is((await must(api.call('runs', 'list', { query: { templateId: id } }))).total, 2);
  t.is((await must(api.call('templates', 'list'))).total, 0);
});

test('a template with an overdue run cannot be deleted', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId: id } = await publishProcess(api);
  const run = await launchRun(api, id);
  const params = { taskId: run.byTitle('Only task').runTaskId };
  await must(api.call('runs.tasks', 'setDueDate', { params, body: { dueAt: '2020-01-01T00:00:00Z' } }));
  t.is((await getRun(api, run.id)).status, 'OVERDUE');

  t.is((await api.call('templates', 'delete', { params: { id } })).status, 400);
});

test('a publication and a deletion wait for a launch in progress, and the deletion finds its run; an edit does not wait', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId: id, versionId, taskIds } = await publishProcess(api);
  const holder = await connectTo(t, app.databaseUrl);
  /** Makes a call while a launch waits for the version that its run refers to. */
  const duringLaunch = async <Answer>(templateVersionId: string, call: () => Promise<Answer>) => {
    await holder.query('begin');
    await holder.query('select from template_versions where id = $1 for update', [templateVersionId]);
    const launch = api.call('runs', 'launch', { body: { templateId: id } });
    await untilOthersWait(async (text) => (await holder.query(text)).rows);
    const params = { id, taskId: taskIds['Only task'] ?? '' };
    await must(api.call('templates.tasks', 'update', { params, body: { title: 'Renamed' } }));
    const answer = call();
    await untilOthersQueue(holder);
    await holder.query('rollback');
    t.is((await launch).status, 201);
    return answer;
  };

  const publication = await must(duringLaunch(versionId, () => api.call('templates', 'publish', { params: { id } })));
  t.is(publication.number, 2);

  const removal = duringLaunch(publication.id, () => api.call('templates', 'delete', { params: { id } }));
  const message = 'The template cannot be deleted while it has 2 active runs; complete or cancel them first.';
  await isRejected(t, removal, 400, message);
});

test('a launch waits for a deletion in progress and then finds no template', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId: id } = await publishProcess(api);
  await newShare(api, id);
  const holder = await connectTo(t, app.databaseUrl);
  await holder.query('begin');
  // The deletion, which ends the shares, has locked the template.
  await holder.query('select from template_shares where template_id = $1 for update', [id]);
  const removal = api.call('templates', 'delete', { params: { id } });
  await untilOthersWait(async (text) => (await holder.query(text)).rows);
  const launch = api.call('runs', 'launch', { body: { templateId: id } });
  await untilOthersQueue(holder);
  await holder.query('rollback');

  t.is((await removal).status, 204);
  await isRejected(t, launch, 404, 'Template not found.');
});

test('of a concurrent launch and deletion, exactly one succeeds', async (t) => {
  const { api } = await newOrganization(app);
  for (let round = 0; round < 12; round += 1) {
    const { templateId: id } = await publishProcess(api);
    const launch = () => api.call('runs', 'launch', { body: { templateId: id } });
    const remove = () => api.call('templates', 'delete', { params: { id } });
    const calls = round % 2 === 0 ? [launch, remove, launch] : [remove, launch, launch];
    const statuses = (await Promise.all(calls.map((call) => call())))
      .map(({ status }) => status)
      .toSorted((a, b) => a - b);
    const launched = statuses.filter((status) => status === 201).length;
    // Either the deletion found the launched run, or the launch did not find the deleted template.
    t.deepEqual(statuses, launched > 0 ? [201, 201, 400] : [204, 404, 404]);
  }
});

test('archiving and unarchiving can be repeated; an archived template is not launched or published', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId: id } = await publishProcess(api);
  const before = await readTemplate(api, id);

  const archived = await must(api.call('templates', 'archive', { params: { id } }));
  const { updatedAt, version } = archived;
  t.is(Number(version), Number(before.version) + 1);
  t.deepEqual(archived, { ...before, status: 'ARCHIVED', updatedAt, version });
  const again = await api.call('templates', 'archive', { params: { id } });
  t.deepEqual([again.status, again.body], [200, archived]);
  const message = 'The template is archived; unarchive it first.';
  await isRejected(t, api.call('runs', 'launch', { body: { templateId: id } }), 400, message);
  await isRejected(t, api.call('templates', 'publish', { params: { id } }), 400, message);

  const back = await must(api.call('templates', 'unarchive', { params: { id } }));
  t.deepEqual({ ...back, updatedAt: before.updatedAt, version: before.version }, before);
  const same = await api.call('templates', 'unarchive', { params: { id } });
  t.deepEqual([same.status, same.body], [200, back]);
  await launchRun(api, id);
});

test('a duplicate is an independent draft with the same settings and new ids', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const folderId = await newFolder(app, organizationId);
  const settings = { name: 'Hire', description: 'About', folderId, runTitlePattern: '{{date}}' };
  const fields = [{ label: 'Size', type: 'NUMBER' as const }];
  const { templateId: id } = await publishProcess(api, [{ title: 'A', fields }], settings, [{ key: 'seats' }]);
  await addTask(api, id, { title: 'Unpublished' });
  const before = await readTasks(api, id);

  const { status, body } = await api.call('templates', 'duplicate', { params: { id } });

  t.is(status, 201);
  t.not(body.id, id);
  t.like(body, {
    ...settings,
    name: 'Hire (copy)',
    status: 'DRAFT',
    publishedVersionId: null,
    hasUnpublishedChanges: true,
  });
  t.deepEqual(await readTemplate(api, body.id), body);
  const tasks = await readTasks(api, body.id);
  const bare = (list: typeof tasks) =>
    list.map(({ id: _, ...task }) => ({ ...task, fields: task.fields.map(({ id: __, ...field }) => field) }));
  t.deepEqual(bare(tasks), bare(before));
  t.deepEqual(
    tasks.map(({ title }) => title),
    ['A', 'Unpublished'],
  );
  t.is(new Set([...tasks, ...before].flatMap((task) => [task, task.fields].flat().map(({ id }) => id))).size, 6);

  await must(api.call('templates.tasks', 'delete', { params: { id: body.id, taskId: tasks[0]?.id ?? '' } }));
  t.deepEqual(await readTasks(api, id), before);
});

test('a duplicate has the requested name, or the original one with a suffix, cut to fit', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api, { name: `${'x'.repeat(247)}😀 long` });
  const duplicate = async (body?: object) =>
    (await api.raw('POST', `/templates/${id}/duplicate`, body && { body })).body as { name: string };

  t.is((await duplicate()).name, `${'x'.repeat(247)} (copy)`);
  t.is((await duplicate({})).name, `${'x'.repeat(247)} (copy)`);
  t.is((await duplicate({ name: ' Mine ' })).name, 'Mine');
  await isRejected(t, api.raw('POST', `/templates/${id}/duplicate`, { body: { title: 'X' } }), 400, [
    'title: unknown parameter; remove it',
  ]);
});
