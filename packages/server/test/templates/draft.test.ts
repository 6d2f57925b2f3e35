import { randomUUID } from 'node:crypto';
import type { BodyInput, Contract } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { addTask, newGroup, newTemplate, readTasks, readTemplate } from '../support/templates.ts';

const app = useSharedApp(test);

type Draft = BodyInput<Contract['templates.draft']['replace']>;

const readDraft = (api: Api, id: string) => must(api.call('templates.draft', 'get', { params: { id } }));
const replace = (api: Api, id: string, body: Draft) => api.call('templates.draft', 'replace', { params: { id }, body });
const empty = { phases: [], tasks: [], variables: [] };

const onboarding: Draft = {
  phases: [
    { id: 'new:before', name: 'Before' },
    { id: 'new:day-1', name: 'Day one', description: 'In the office' },
  ],
  tasks: [
    {
      title: 'Sign',
      phaseId: 'new:before',
      due: { from: 'LAUNCH', offset: 'P3D' },
      fields: [
        { label: 'Signed on', type: 'DATE', required: true },
        { label: 'Shirt', type: 'DROPDOWN', key: 'shirt', options: [{ key: 's', label: 'S' }] },
      ],
    },
    { title: 'Welcome', phaseId: 'new:day-1', required: false, repeatable: true },
  ],
  variables: [{ key: 'region', defaultValue: 'EU' }],
};

test('a draft is created in one call, with ids and defaults, and can be read, edited and published', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  t.deepEqual(await readDraft(api, id), { ...empty, version: '1' });

  const { status, body } = await replace(api, id, onboarding);

  t.is(status, 200);
  t.deepEqual(await readDraft(api, id), body);
  const [before, day] = body.phases;
  const [sign, welcome] = body.tasks;
  t.like(before, { name: 'Before', description: null });
  t.like(sign, { title: 'Sign', phaseId: before?.id, due: { from: 'LAUNCH', offset: 'P3D', hasTime: true } });
  t.like(sign?.fields[0], { key: 'signed_on', label: 'Signed on', required: true, helpText: null, options: [] });
  t.like(welcome, { phaseId: day?.id, required: false, repeatable: true, assigneeId: null, fields: [] });
  t.like(body.variables[0], { key: 'region', description: null, defaultValue: 'EU' });
  t.deepEqual(
    (await readTasks(api, id)).map((task) => task.id),
    [sign?.id, welcome?.id],
  );

  await must(api.call('templates', 'publish', { params: { id } }));
  t.is((await launchRun(api, id)).tasks.length, 2);
  t.false((await readTemplate(api, id)).hasUnpublishedChanges);
});

test('a draft sent back as it was read changes nothing, also with a member who was deactivated since', async (t) => {
  const { api, session, organizationId } = await newOrganization(app);
  const owner = await session();
  const body = { email: `${randomUUID()}@example.com`, name: 'Ada', password: randomUUID() };
  const { id: assigneeId } = await must(owner.call('users', 'create', { body }));
  const assigneeGroupId = await newGroup(app, organizationId);
  const id = await newTemplate(api);
  const tasks = [...onboarding.tasks, { title: 'Ada', assigneeId }, { title: 'Group', assigneeGroupId }];
  const approval = { approverIds: [assigneeId], approverGroupIds: [assigneeGroupId], policy: 'ALL' as const };
  tasks.push({ title: 'Approved', approval });
  await must(replace(api, id, { ...onboarding, tasks }));
  await must(owner.call('users', 'delete', { params: { id: assigneeId } }));
  const [template, draft] = [await readTemplate(api, id), await readDraft(api, id)];

  t.deepEqual(await must(replace(api, id, draft)), draft);

  t.deepEqual(await readTemplate(api, id), template);
  const more = { ...draft, tasks: [...draft.tasks, { title: 'New', assigneeId }] };
  const problem = 'not an active member of this organization; see GET /users';
  await isRejected(t, replace(api, id, more), 400, [`tasks[5].assigneeId: ${problem}`]);
  // Runs would wait for this approver.
  await isRejected(t, api.call('templates', 'publish', { params: { id } }), 400, [
    `tasks[4].approval.approverIds[0]: ${problem}`,
  ]);
});

test('parts keep their ids when they are renamed, reordered or moved; the others are deleted or created', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  const { phases, tasks, variables } = await must(replace(api, id, onboarding));
  const [sign, welcome] = tasks;
  const [signedOn, shirt] = sign?.fields ?? [];
  if (!sign || !welcome || !signedOn || !shirt) throw new Error('The draft lacks a part.');

  const after = await must(
    replace(api, id, {
      phases: phases.slice(1),
      tasks: [
        { ...welcome, title: 'Hello', fields: [{ ...shirt, label: 'Size' }] },
        { title: 'New' },
        { ...sign, phaseId: null, fields: [signedOn] },
      ],
      variables,
    }),
  );

  t.deepEqual(after.phases, phases.slice(1));
  t.deepEqual(after.tasks[0], { ...welcome, key: 'welcome', title: 'Hello', fields: [{ ...shirt, label: 'Size' }] });
  t.false([sign.id, welcome.id].includes(after.tasks[1]?.id ?? ''));
  t.deepEqual(after.tasks[2], { ...sign, phaseId: null, fields: [signedOn] });
  const message = `phases[0].id: the draft has no phase ${phases[0]?.id}; omit the id to create a phase`;
  await isRejected(t, replace(api, id, { phases, tasks: [], variables }), 400, [message]);
});

test('every problem of a document is listed with its path, and nothing changes', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  await must(replace(api, id, onboarding));
  const [template, draft] = [await readTemplate(api, id), await readDraft(api, id)];
  const put = (body: unknown) => api.raw('PUT', `/templates/${id}/draft`, { body });
  const unknown = randomUUID();

  await isRejected(t, put({}), 400, ['phases: is required', 'tasks: is required', 'variables: is required']);
  const field = {
    label: 'A',
    type: 'DROPDOWN',
    options: [
      { key: 'a', label: 'A' },
      { key: '1', label: '' },
    ],
  };
  await isRejected(
    t,
    put({ ...empty, phases: [{ id: 'old:x', name: 'X' }], tasks: [{ fields: [field], colour: 1 }] }),
    400,
    [
      'phases[0].id: must be the UUID of a part of the draft, or new: and at most 64 letters, digits, "_" or "-"',
      'tasks[0].title: is required',
      'tasks[0].fields[0].options[1].key: must start with a letter and contain at most 64 letters, digits, "_" or "-"',
      'tasks[0].fields[0].options[1].label: must not be empty',
      'tasks[0].colour: unknown parameter; remove it',
    ],
  );
  const tasks = [
    { id: unknown, title: 'A', fields: [{ label: 'Choice', type: 'MULTI_SELECT' }] },
    { title: 'B', phaseId: 'new:x', assigneeId: unknown, assigneeGroupId: unknown },
  ];
  await isRejected(t, put({ ...empty, tasks }), 400, [
    `tasks[0].id: the draft has no task ${unknown}; omit the id to create a task`,
    'tasks[1].phaseId: the template has no phase with the id new:x; create it first or send null',
    'tasks[1].assigneeId: the task "B" cannot have both a user and a group; send null as assigneeGroupId as well',
    'tasks[0].fields[0].options: a MULTI_SELECT field needs at least one option; send [{ "key", "label" }]',
    'tasks[1].assigneeId: not an active member of this organization; see GET /users',
    'tasks[1].assigneeGroupId: not a group of this organization; see GET /groups',
  ]);
  t.deepEqual(await readTemplate(api, id), template);
  t.deepEqual(await readDraft(api, id), draft);
});

test('the draft of an archived template can be read, but not replaced', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId: id } = await publishProcess(api);
  await must(api.call('templates', 'archive', { params: { id } }));
  const draft = await readDraft(api, id);
  await isRejected(t, replace(api, id, draft), 400, 'The template is archived; unarchive it first.');
});

test('a draft is replaced only at the version that If-Match requires; every change makes a new version', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  const put = (body: Draft, version: string) =>
    api.raw('PUT', `/templates/${id}/draft`, { body, headers: { 'if-match': `"${version}"` } });
  const { version: first } = await readTemplate(api, id);

  const replaced = await put(onboarding, first);
  const { version: second } = await readDraft(api, id);
  t.deepEqual([replaced.status, replaced.headers.get('etag')], [200, `"${second}"`]);
  const draft = await readDraft(api, id);
  const message = `The template has changed since version ${first}; read it again and repeat the request with its new ETag.`;
  await isRejected(t, put(empty, first), 412, message);
  t.deepEqual(await readDraft(api, id), draft);

  const versions = new Set([first, second]);
  const changes = [
    () => addTask(api, id),
    () => must(api.call('templates', 'update', { params: { id }, body: { name: 'Renamed' } })),
    () => must(api.call('templates', 'publish', { params: { id } })),
    () => must(api.call('templates', 'archive', { params: { id } })),
    () => must(api.call('templates', 'unarchive', { params: { id } })),
  ];
  for (const change of changes) {
    await change();
    versions.add((await readTemplate(api, id)).version);
  }
  t.is(versions.size, 2 + changes.length);
  const now = await readTemplate(api, id);
  t.is(
    (await must(api.call('templates', 'update', { params: { id }, body: { name: 'Renamed' } }))).version,
    now.version,
  );
});
