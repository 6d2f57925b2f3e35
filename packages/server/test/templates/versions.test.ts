import { randomUUID } from 'node:crypto';
import { blankTask, emptyProcess } from '@runward/engine';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { addTask, newTemplate, readTasks, readTemplate } from '../support/templates.ts';

const app = useSharedApp(test);

test('publishing creates numbered versions, listed newest first with their notes', async (t) => {
  const { api, ownerUserId } = await newOrganization(app);
  const id = await newTemplate(api);
  await addTask(api, id);

  const { status, body: first } = await api.call('templates', 'publish', { params: { id }, body: { note: 'First' } });
  t.is(status, 200);
  t.deepEqual(first, {
    id: first.id,
    templateVersionId: first.id,
    templateId: id,
    number: 1,
    note: 'First',
    publishedAt: first.publishedAt,
    publishedByUserId: ownerUserId,
  });
  const published = await readTemplate(api, id);
  t.like(published, { status: 'PUBLISHED', publishedVersionId: first.id, hasUnpublishedChanges: false });
  t.is(published.updatedAt, first.publishedAt);

  await addTask(api, id);
  t.like(await readTemplate(api, id), { publishedVersionId: first.id, hasUnpublishedChanges: true });
  const second = await must(api.call('templates', 'publish', { params: { id } }));
  t.like(second, { number: 2, note: null });
  await addTask(api, id);
  const third = await must(api.call('templates', 'publish', { params: { id }, body: {} }));

  const list = (query: object) => api.call('templates.versions', 'list', { params: { id }, query });
  const page = await must(list({ limit: 2 }));
  t.deepEqual({ ...page, nextCursor: null }, { data: [third, second], total: 3, hasMore: true, nextCursor: null });
  const rest = await must(list({ limit: 2, cursor: page.nextCursor ?? '' }));
  t.deepEqual(rest, { data: [first], total: 3, hasMore: false, nextCursor: null });
});

test('a version contains the whole document with positions, and later edits do not change it', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  const params = { id };
  const phase = await must(api.call('templates.phases', 'create', { params, body: { name: 'Start' } }));
  const variable = await must(
    api.call('templates.variables', 'create', { params, body: { key: 'seats', defaultValue: 3 } }),
  );
  const due = { from: 'LAUNCH' as const, offset: 'P1D', hasTime: false };
  const task = await addTask(api, id, { title: 'A', phaseId: phase.id, due });
  const options = [{ key: 'red', label: 'Red' }];
  const ofTask = { id, taskId: task.id };
  const body = { label: 'Colour', type: 'DROPDOWN' as const, options };
  const field = await must(api.call('templates.fields', 'create', { params: ofTask, body }));
  const other = await addTask(api, id, { title: 'B' });
  const version = await must(api.call('templates', 'publish', { params }));
  const read = () => must(api.call('templates.versions', 'get', { params: { id, versionId: version.id } }));

  const before = await read();
  t.deepEqual(before, {
    ...version,
    phases: [phase],
    tasks: [{ ...task, fields: [field] }, other],
    variables: [variable],
  });
  t.deepEqual(
    before.tasks.map(({ position }) => position),
    [0, 1],
  );

  const edits = [
    api.call('templates.tasks', 'update', { params: ofTask, body: { title: 'Z', position: 1, due: null } }),
    api.call('templates.fields', 'update', {
      params: { ...ofTask, fieldId: field.id },
      body: { options: [...options, { key: 'x', label: 'X' }] },
    }),
    api.call('templates.phases', 'delete', { params: { id, phaseId: phase.id } }),
    api.call('templates.variables', 'update', { params: { id, variableId: variable.id }, body: { defaultValue: 4 } }),
    api.call('templates.tasks', 'delete', { params: { id, taskId: other.id } }),
  ];
  for (const edit of edits) t.true((await edit).status < 300);
  t.deepEqual(await read(), before);

  const run = await launchRun(api, id);
  t.deepEqual(
    run.tasks.map(({ title }) => title),
    ['A', 'B'],
  );
  await must(api.call('templates', 'publish', { params }));
  t.deepEqual(await read(), before);
  t.deepEqual((await getRun(api, run.id)).tasks, run.tasks);
  t.is((await launchRun(api, id)).tasks.length, 1);
});

test('a version is found only under its own template', async (t) => {
  const { api } = await newOrganization(app);
  const one = await publishProcess(api);
  const two = await publishProcess(api);
  for (const versionId of [two.versionId, randomUUID()]) {
    const params = { id: one.templateId, versionId };
    await isRejected(t, api.call('templates.versions', 'get', { params }), 404, 'Version not found.');
  }
});

test('publishing requires a task and lists every problem; each publication creates a version, also without a change', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  const publish = () => api.call('templates', 'publish', { params: { id } });

  await isRejected(t, publish(), 400, ['The template has no tasks; add at least one.']);
  t.like(await readTemplate(api, id), { status: 'DRAFT', publishedVersionId: null });

  const { id: taskId } = await addTask(api, id, { title: 'A' });
  const first = await must(publish());
  const run = await launchRun(api, id);
  const second = await must(api.call('templates', 'publish', { params: { id }, body: { note: 'Again' } }));
  t.like(second, { number: 2, note: 'Again' });
  t.like(await readTemplate(api, id), { publishedVersionId: second.id, hasUnpublishedChanges: false });
  t.is((await getRun(api, run.id)).templateVersionId, first.id);
  t.is((await launchRun(api, id)).templateVersionId, second.id);

  const params = { id, taskId };
  await must(api.call('templates.tasks', 'update', { params, body: { title: 'B' } }));
  t.true((await readTemplate(api, id)).hasUnpublishedChanges);
  await must(api.call('templates.tasks', 'update', { params, body: { title: 'A' } }));
  t.false((await readTemplate(api, id)).hasUnpublishedChanges);
  const third = await must(publish());
  const versions = await must(api.call('templates.versions', 'list', { params: { id } }));
  t.deepEqual(versions.data, [third, second, first]);

  const broken = {
    ...blankTask(randomUUID(), 'Broken'),
    phaseId: randomUUID(),
    assigneeId: randomUUID(),
    assigneeGroupId: randomUUID(),
  };
  const draft = { ...emptyProcess, tasks: [broken] };
  await app.provision.query('update templates set draft = $2, has_unpublished_changes = true where id = $1', [
    id,
    draft,
  ]);
  await isRejected(t, publish(), 400, [
    'The task "Broken" is in a phase that does not exist; move it to another phase or to none.',
    'The task "Broken" is assigned to both a user and a group; clear one of them.',
  ]);
  t.is((await must(api.call('templates.versions', 'list', { params: { id } }))).total, 3);
});

test('publish accepts only a note', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  for (const [body, message] of [
    [{ notes: 'x' }, ['notes: unknown parameter; remove it']],
    [{ note: 'x'.repeat(2001) }, ['note: must be at most 2000 characters']],
    [{ note: 1 }, ['note: must be a string']],
  ] as const) {
    await isRejected(t, api.raw('POST', `/templates/${id}/publish`, { body }), 400, [...message]);
  }
});

test('concurrent publications, also with edits between them, get distinct numbers', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  await addTask(api, id);
  const publish = () => must(api.call('templates', 'publish', { params: { id } }));

  const unchanged = await Promise.all(Array.from({ length: 6 }, publish));
  const edited = await Promise.all(Array.from({ length: 8 }, () => addTask(api, id).then(publish)));
  const numbers = [...unchanged, ...edited].map(({ number }) => number).sort((a, b) => a - b);
  t.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
  );
  const { data, total } = await must(api.call('templates.versions', 'list', { params: { id } }));
  t.is(total, numbers.length);
  t.like(await readTemplate(api, id), { publishedVersionId: data[0]?.id, hasUnpublishedChanges: false });
  t.is((await readTasks(api, id)).length, 9);
});

test('discarding restores the published document as the draft', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId: id } = await publishProcess(api, [{ title: 'A', fields: [{ label: 'L', type: 'TEXT' }] }]);
  const published = await readTemplate(api, id);
  const tasks = await readTasks(api, id);
  const discard = () => api.call('templates', 'discardDraft', { params: { id } });

  t.deepEqual((await discard()).body, published);
  await addTask(api, id);
  await must(api.call('templates.tasks', 'delete', { params: { id, taskId: tasks[0]?.id ?? '' } }));
  await must(api.call('templates', 'update', { params: { id }, body: { name: 'Stays' } }));
  const { status, body } = await discard();

  t.is(status, 200);
  const { updatedAt, version } = body;
  t.is(Number(version), Number(published.version) + 4, 'the fourth change');
  t.deepEqual(body, { ...published, name: 'Stays', updatedAt, version });
  t.deepEqual(await readTemplate(api, id), body);
  t.deepEqual(await readTasks(api, id), tasks);
});

test('a draft that was never published cannot be discarded', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  await addTask(api, id);
  await isRejected(
    t,
    api.call('templates', 'discardDraft', { params: { id } }),
    400,
    'The template has no published version to restore; edit the draft or delete the template.',
  );
  t.is((await readTasks(api, id)).length, 1);
});

test('published fields are listed by task, then field, only from the published version', async (t) => {
  const { api } = await newOrganization(app);
  const draft = await newTemplate(api);
  const read = (id: string, query: object = {}) => api.call('templates', 'publishedFields', { params: { id }, query });
  await isRejected(t, read(draft), 404, 'Published version not found.');

  const options = [{ key: 'red', label: 'Red' }];
  const {
    templateId: id,
    versionId,
    taskIds,
    fields,
  } = await publishProcess(api, [
    {
      title: 'A',
      fields: [
        { label: 'Colour', type: 'DROPDOWN', required: true, options },
        { label: 'Size', type: 'NUMBER' },
      ],
    },
    { title: 'Empty' },
    { title: 'B', fields: [{ label: 'Name', type: 'TEXT', key: 'who' }] },
  ]);
  const fieldOf = (taskTitle: string, key: string, rest: object) => ({
    runTaskFieldId: fields[key]?.id,
    taskId: taskIds[taskTitle],
    taskTitle,
    key,
    ...rest,
  });
  const expected = [
    fieldOf('A', 'colour', { label: 'Colour', type: 'DROPDOWN', required: true, options }),
    fieldOf('A', 'size', { label: 'Size', type: 'NUMBER', required: false, options: [] }),
    fieldOf('B', 'who', { label: 'Name', type: 'TEXT', required: false, options: [] }),
  ];
  await must(api.call('templates.tasks', 'delete', { params: { id, taskId: taskIds['A'] ?? '' } }));

  const { status, body } = await read(id);
  t.is(status, 200);
  t.deepEqual<unknown, unknown>(body, {
    data: expected,
    total: 3,
    hasMore: false,
    nextCursor: null,
    templateVersionId: versionId,
  });
  const page = await must(read(id, { limit: 2 }));
  t.deepEqual<unknown, unknown>(page.data, expected.slice(0, 2));
  const rest = await must(read(id, { limit: 2, cursor: page.nextCursor ?? '' }));
  t.deepEqual<unknown, unknown>(rest, {
    data: expected.slice(2),
    total: 3,
    hasMore: false,
    nextCursor: null,
    templateVersionId: versionId,
  });
});

test('the fields of an earlier version are listed by its id; a version of another template is a 404', async (t) => {
  const { api } = await newOrganization(app);
  const {
    templateId: id,
    versionId,
    taskIds,
    fields,
  } = await publishProcess(api, [{ title: 'A', fields: [{ label: 'Gone', type: 'TEXT', required: true }] }]);
  const run = await launchRun(api, id);
  const params = { id, taskId: taskIds['A'] ?? '', fieldId: fields['gone']?.id ?? '' };
  await must(api.call('templates.fields', 'delete', { params }));
  const { templateVersionId: latest } = await must(api.call('templates', 'publish', { params: { id } }));
  const read = (query: object) => api.call('templates', 'publishedFields', { params: { id }, query });

  t.like(await must(read({})), { data: [], templateVersionId: latest });
  t.like(await must(read({ templateVersionId: latest })), { data: [], templateVersionId: latest });
  const earlier = await must(read({ templateVersionId: versionId }));
  t.like(earlier, { total: 1, templateVersionId: run.templateVersionId });
  t.like(earlier.data[0], { runTaskFieldId: params.fieldId, label: 'Gone', required: true });

  const { versionId: other } = await publishProcess(api);
  for (const templateVersionId of [other, randomUUID()]) {
    await isRejected(t, read({ templateVersionId }), 404, 'Version not found.');
  }
});
