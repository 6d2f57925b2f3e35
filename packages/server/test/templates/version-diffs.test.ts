import { randomUUID } from 'node:crypto';
import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { addTask, newTemplate, readTasks, readTemplate } from '../support/templates.ts';

const app = useSharedApp(test);

const draftDiff = (api: Api, id: string) => must(api.call('templates.versions', 'draftDiff', { params: { id } }));
const publish = (api: Api, id: string) => must(api.call('templates', 'publish', { params: { id } }));
const readDraft = (api: Api, id: string) => must(api.call('templates.draft', 'get', { params: { id } }));

/**
 * A template with two versions. Between them the task was renamed and got a field, and another task was added before
 * it.
 */
async function twoVersions(api: Api) {
  const id = await newTemplate(api);
  const { id: taskId } = await addTask(api, id, { title: 'Pack' });
  const first = await publish(api, id);
  const params = { id, taskId };
  const form = { label: 'Weight', type: 'NUMBER' } as const;
  const field = await must(api.call('templates.fields', 'create', { params, body: form }));
  await must(api.call('templates.tasks', 'update', { params, body: { title: 'Pack it' } }));
  const { id: added } = await addTask(api, id, { title: 'Ask' });
  const move = { params: { id, taskId: added }, body: { position: 0 } };
  await must(api.call('templates.tasks', 'update', move));
  return { id, taskId, added, field, first };
}

test('the draft is compared with the published version, and that of a template without one with nothing', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  t.deepEqual(await draftDiff(api, id), { from: null, to: null, changes: [] });
  const { id: taskId, key: _k, fields: _, rules: __, ...properties } = await addTask(api, id, { title: 'Pack' });
  t.deepEqual(await draftDiff(api, id), {
    from: null,
    to: null,
    changes: [{ kind: 'ADDED', entity: 'TASK', id: taskId, label: 'Pack', after: properties }],
  });

  const version = await publish(api, id);
  const from = { versionId: version.id, number: 1 };
  t.deepEqual(await draftDiff(api, id), { from, to: null, changes: [] });
  await must(
    api.call('templates.tasks', 'update', { params: { id, taskId }, body: { required: false, title: 'Pack it' } }),
  );
  t.deepEqual(await draftDiff(api, id), {
    from,
    to: null,
    changes: [
      {
        kind: 'CHANGED',
        entity: 'TASK',
        id: taskId,
        label: 'Pack it',
        before: { title: 'Pack', required: true },
        after: { title: 'Pack it', required: false },
      },
    ],
  });
});

test('a version is compared with the one before it or another one, and the first with nothing', async (t) => {
  const { api } = await newOrganization(app);
  const { id, taskId, added, field, first } = await twoVersions(api);
  const { changes: unpublished } = await draftDiff(api, id);
  const second = await publish(api, id);
  const read = (versionId: string, query: { against?: string } = {}) =>
    api.call('templates.versions', 'diff', { params: { id, versionId }, query });

  const [one, two] = [
    { versionId: first.id, number: 1 },
    { versionId: second.id, number: 2 },
  ];
  const diff = await must(read(second.id));
  t.deepEqual(diff, { from: one, to: two, changes: unpublished });
  t.deepEqual(
    diff.changes.map(({ kind, entity, id: part, label }) => [kind, entity, part, label]),
    [
      ['ADDED', 'TASK', added, 'Ask'],
      ['CHANGED', 'TASK', taskId, 'Pack it'],
      ['ADDED', 'FIELD', field.id, 'Pack it > Weight'],
    ],
  );
  const { id: _, ...properties } = field;
  t.deepEqual<unknown, unknown>(diff.changes[2]?.after, { ...properties, taskId });
  t.deepEqual(await must(read(second.id, { against: first.id })), diff);

  const initial = await must(read(first.id));
  t.like(initial, { from: null, to: one, changes: [{ kind: 'ADDED', id: taskId }] });
  const back = await must(read(first.id, { against: second.id }));
  t.like(back, { from: two, to: one });
  t.deepEqual(
    back.changes.map(({ kind }) => kind),
    ['REMOVED', 'CHANGED', 'REMOVED'],
  );
  t.deepEqual((await must(read(second.id, { against: second.id }))).changes, []);

  const stranger = await newOrganization(app);
  const [other, foreign] = [await publishProcess(api), await publishProcess(stranger.api)];
  for (const unknown of [other.versionId, foreign.versionId, randomUUID()]) {
    await isRejected(t, read(unknown), 404, 'Version not found.');
    await isRejected(t, read(second.id, { against: unknown }), 404, 'Version not found.');
  }
  t.is((await api.raw('GET', `/templates/${id}/versions/${second.id}/diff?against=draft`)).status, 400);
});

test('restoring copies a version into the draft with its ids; versions and runs stay as they are', async (t) => {
  const { api } = await newOrganization(app);
  const { id, taskId, added, first } = await twoVersions(api);
  const second = await publish(api, id);
  const run = await launchRun(api, id);
  await addTask(api, id, { title: 'Unpublished' });
  const path = `/templates/${id}/versions/${first.id}/restore`;
  const { version } = await readTemplate(api, id);

  const stale = await api.raw('POST', path, { headers: { 'if-match': '"1"' } });
  t.is(stale.status, 412);
  t.is((await readTasks(api, id)).length, 3);
  const restored = await api.raw('POST', path, { headers: { 'if-match': `"${version}"` } });
  t.is(restored.status, 200);
  t.deepEqual<unknown, unknown>(restored.body, await readTemplate(api, id));
  t.like(restored.body, { publishedVersionId: second.id, hasUnpublishedChanges: true });
  const { tasks, version: _, ...draft } = await readDraft(api, id);
  const snapshot = await must(api.call('templates.versions', 'get', { params: { id, versionId: first.id } }));
  t.like(snapshot, draft);
  t.deepEqual(
    tasks,
    snapshot.tasks.map(({ position: __, ...task }) => task),
  );
  t.deepEqual((await draftDiff(api, id)).changes.map(({ kind, id: part }) => `${kind} ${part}`).slice(0, 2), [
    `REMOVED ${added}`,
    `CHANGED ${taskId}`,
  ]);

  t.deepEqual(await launchRun(api, id).then(({ tasks: now }) => now.length), run.tasks.length);
  const third = await publish(api, id);
  t.is(third.number, 3);
  const diff = { params: { id, versionId: third.id }, query: { against: first.id } };
  t.deepEqual((await must(api.call('templates.versions', 'diff', diff))).changes, []);
  await must(api.call('templates.versions', 'restore', { params: { id, versionId: third.id } }));
  t.false((await readTemplate(api, id)).hasUnpublishedChanges);
});

test('restoring clears assignments to groups that have been deleted; it keeps deactivated members, and approvers', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const owner = await org.session();
  const { id: userId } = await org.member('Ada');
  const newGroup = async (name: string) => (await must(owner.call('groups', 'create', { body: { name } }))).id;
  const [gone, kept] = [await newGroup('Gone'), await newGroup('Kept')];
  const id = await newTemplate(api);
  const assign = (assigneeGroupId: string) => ({ type: 'ASSIGN' as const, taskId: 'new:a', assigneeGroupId });
  const rule = {
    conditions: [{ source: { type: 'FIELD' as const, fieldId: 'new:f' }, operator: 'IS_EMPTY' as const }],
    actions: [assign(gone), assign(kept)],
  };
  const form = [{ id: 'new:f', label: 'F', type: 'TEXT' as const }];
  const body = {
    phases: [],
    tasks: [
      { id: 'new:a', title: 'A', assigneeGroupId: gone },
      { title: 'B', assigneeGroupId: kept, fields: form, rules: [rule] },
      { title: 'C', assigneeId: userId, approval: { approverGroupIds: [gone] } },
    ],
    variables: [],
  };
  await must(api.call('templates.draft', 'replace', { params: { id }, body }));
  const first = await publish(api, id);
  const bare = { ...body, tasks: [{ title: 'A' }] };
  await must(api.call('templates.draft', 'replace', { params: { id }, body: bare }));
  await publish(api, id);
  await must(owner.call('groups', 'delete', { params: { id: gone } }));
  await must(owner.call('users', 'delete', { params: { id: userId } }));

  await must(api.call('templates.versions', 'restore', { params: { id, versionId: first.id } }));
  const [a, b, c] = await readTasks(api, id);
  t.deepEqual([a?.assigneeGroupId, b?.assigneeGroupId, c?.assigneeId], [null, kept, userId]);
  t.like(b?.rules[0]?.actions, [{ assigneeGroupId: null }, { assigneeGroupId: kept }]);
  const rejected = await api.call('templates', 'publish', { params: { id } });
  t.is(rejected.status, 400);
  t.regex(String(rejected.error?.message), /The rule 1 of the task "B": actions\[0\]\.assigneeId: send either/);
  // Without its group, anyone could approve.
  t.deepEqual(c?.approval?.approverGroupIds, [gone]);
  t.regex(
    String(rejected.error?.message),
    /tasks\[2\]\.approval\.approverGroupIds\[0\]: not a group of this organization/,
  );
});

test('an archived template, another template, and another organization reject the restoration of a version', async (t) => {
  const { api } = await newOrganization(app);
  const stranger = await newOrganization(app);
  const { templateId: id, versionId } = await publishProcess(api);
  const other = await publishProcess(api);
  const restore = (by: Api, params: { id: string; versionId: string }) =>
    by.call('templates.versions', 'restore', { params });
  await isRejected(t, restore(api, { id, versionId: other.versionId }), 404, 'Version not found.');
  await isRejected(t, restore(stranger.api, { id, versionId }), 404, 'Template not found.');
  await must(api.call('templates', 'archive', { params: { id } }));
  await isRejected(t, restore(api, { id, versionId }), 400, 'The template is archived; unarchive it first.');
});
