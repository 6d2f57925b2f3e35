import { randomUUID } from 'node:crypto';
import type { BodyInput, Contract } from '@runward/contract';
import { scopes } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { newFolder, newGroup, newTemplate } from '../support/templates.ts';
import { newImage } from '../support/world/files.ts';

const app = useSharedApp(test);

const share = (api: Api, id: string, body = {}) =>
  must(api.call('templates.shares', 'create', { params: { templateId: id }, body }));
const preview = (api: Api, token: string) => api.call('sharedTemplates', 'preview', { params: { token } });
const importWith = (api: Api, token: string, body?: BodyInput<Contract['sharedTemplates']['import']>) =>
  api.call('sharedTemplates', 'import', { params: { token }, ...(body && { body }) });
const update = (api: Api, shareId: string, body: BodyInput<Contract['sharedTemplates']['update']>) =>
  api.call('sharedTemplates', 'update', { params: { shareId }, body });
const refresh = (api: Api, shareId: string) => api.call('sharedTemplates', 'refresh', { params: { shareId } });
const revoke = (api: Api, shareId: string) => api.call('sharedTemplates', 'revoke', { params: { shareId } });
const readDraft = (api: Api, id: string) => must(api.call('templates.draft', 'get', { params: { id } }));

const notFound = 'Shared template not found.';

/** A published template that refers to members, a group and a folder wherever it can, and has an image. */
async function sharedByPeople(org: TestOrganization) {
  const { api, organizationId, ownerUserId } = org;
  const folderId = await newFolder(app, organizationId);
  const groupId = await newGroup(app, organizationId);
  const { id: memberId } = await org.member('Grace Hopper');
  const body = { name: 'Onboarding', description: 'For suppliers', runTitlePattern: '{{name}}', folderId };
  const id = await newTemplate(api, body);
  const source = { type: 'FIELD', fieldId: 'new:buddy' } as const;
  const tasks: BodyInput<Contract['templates.draft']['replace']>['tasks'] = [
    {
      id: 'new:form',
      title: 'Company details',
      phaseId: 'new:phase',
      assigneeId: memberId,
      fields: [
        { id: 'new:buddy', label: 'Buddy', type: 'USER' },
        { id: 'new:size', label: 'Size', type: 'DROPDOWN', options: [{ key: 'small', label: 'Small' }] },
      ],
      rules: [
        {
          name: 'Escalate',
          conditions: [{ source: { ...source, fieldId: 'new:size' }, operator: 'EQUALS', value: 'small' }],
          actions: [
            { type: 'ASSIGN', taskId: 'new:review', assigneeId: ownerUserId },
            { type: 'HIDE', taskIds: ['new:review'] },
          ],
        },
        {
          name: 'Own buddy',
          conditions: [{ source, operator: 'EQUALS', value: memberId }],
          actions: [{ type: 'HIDE', taskIds: ['new:review'] }],
        },
      ],
    },
    {
      id: 'new:review',
      title: 'Review',
      assigneeGroupId: groupId,
      dependencies: ['new:form'],
      approval: { approverIds: [memberId], approverGroupIds: [groupId] },
    },
  ];
  const draft = {
    phases: [{ id: 'new:phase', name: 'Before' }],
    tasks,
    variables: [{ key: 'region', defaultValue: 'EU' }],
  };
  await must(api.call('templates.draft', 'replace', { params: { id }, body: draft }));
  await must(api.call('templates', 'setBackgroundImage', { params: { id }, body: { file: newImage() } }));
  await must(api.call('templates', 'publish', { params: { id } }));
  return { id, folderId, ids: [id, organizationId, folderId, groupId, memberId, ownerUserId] };
}

const paths = ['Company details > assignee', 'Company details > Escalate > action 1', 'Company details > Own buddy'];
const dropped = [...paths, 'Review > assigned group', 'Review > approvers', 'folder'];

test('an import is an independent draft with new ids, and lists what it left out', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const { id } = await sharedByPeople(org);
  const { token } = await share(org.api, id);
  const { status, body } = await importWith(other.api, token);
  t.is(status, 201);
  t.deepEqual(
    body.dropped.map(({ path }) => path),
    dropped,
  );
  t.like(body.template, {
    name: 'Onboarding',
    description: 'For suppliers',
    runTitlePattern: '{{name}}',
    folderId: null,
    status: 'DRAFT',
    publishedVersionId: null,
  });
  const original = await readDraft(org.api, id);
  const copy = await readDraft(other.api, body.template.id);
  const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
  const before = new Set(JSON.stringify(original).match(uuid));
  const after = JSON.stringify(copy).match(uuid) ?? [];
  t.true(after.length > 8);
  t.deepEqual(
    after.filter((each) => before.has(each)),
    [],
  );
  const [form, review] = copy.tasks;
  t.like(form, { title: 'Company details', phaseId: copy.phases[0]?.id, assigneeId: null });
  const approval = { approverIds: [], approverGroupIds: [], policy: 'ANY', allowSelfApproval: false };
  t.like(review, { title: 'Review', dependencies: [form?.id], assigneeGroupId: null, approval });
  t.deepEqual(form?.fields[1]?.options, [{ key: 'small', label: 'Small' }]);
  t.deepEqual(
    form?.rules.map(({ name, conditions, actions }) => [name, conditions[0]?.source, actions]),
    [
      [
        'Escalate',
        { type: 'FIELD', fieldId: form?.fields[1]?.id ?? '' },
        [{ type: 'HIDE', taskIds: [review?.id ?? ''], fieldIds: [] }],
      ],
    ],
  );

  await must(other.api.call('templates', 'publish', { params: { id: body.template.id } }));
  t.is((await launchRun(other.api, body.template.id)).tasks.length, 2);
  t.deepEqual(await readDraft(org.api, id), original);
  const [listed] = (await must(org.api.call('templates.shares', 'list', { params: { templateId: id } }))).data;
  t.is(listed?.importCount, 1);
});

test('the preview shows what would be imported, without an id or address of the organization that shares', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const { id, ids } = await sharedByPeople(org);
  const { token } = await share(org.api, id);
  const { status, body } = await preview(other.api, token);
  t.is(status, 200);
  t.like(body, { name: 'Onboarding', hasBackgroundImage: true, phases: [{ name: 'Before', description: null }] });
  t.like(body.tasks[0], { title: 'Company details', phase: 'Before', ruleCount: 1 });
  t.like(body.tasks[1], { dependencies: ['Company details'], requiresApproval: true });
  t.deepEqual(
    body.dropped.map(({ path }) => path),
    dropped,
  );
  const { data: members } = await must(org.api.call('users', 'list'));
  t.is(members.length, 2);
  const secrets = [...ids, ...members.flatMap((member) => [member.id, member.email])];
  const imported = await must(importWith(other.api, token));
  const texts = [body, imported, await readDraft(other.api, imported.template.id)].map((each) => JSON.stringify(each));
  for (const text of texts) for (const secret of secrets) t.false(text.includes(secret), secret);
  t.notRegex(texts[0] ?? '', /[0-9a-f]{8}-[0-9a-f]{4}-/);
});

test('the token shares the latest published version, and not the draft', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const { templateId: id } = await publishProcess(org.api, [{ title: 'A' }]);
  const { token } = await share(org.api, id);
  const titles = async () => (await must(preview(other.api, token))).tasks.map(({ title }) => title);
  await must(org.api.call('templates.tasks', 'create', { params: { id }, body: { title: 'B' } }));
  t.deepEqual(await titles(), ['A']);
  await must(org.api.call('templates', 'publish', { params: { id } }));
  t.deepEqual(await titles(), ['A', 'B']);
  const { template } = await must(importWith(other.api, token));
  t.is((await readDraft(other.api, template.id)).tasks.length, 2);
});

test('the background image of an import is a copy: deleting either keeps the other', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const { id } = await sharedByPeople(org);
  const { token } = await share(org.api, id);
  const imported = [
    (await must(importWith(other.api, token))).template,
    (await must(importWith(other.api, token))).template,
  ];
  const original = await must(org.api.call('templates', 'get', { params: { id } }));
  const download = (url = '') => fetch(new URL(new URL(url).pathname, app.baseUrl));
  const [first, second] = imported;
  t.is(new Set([original, first, second].map((each) => each?.backgroundImage?.assetId)).size, 3);
  await must(other.api.call('templates', 'delete', { params: { id: first?.id ?? '' } }));
  t.is((await download(original.backgroundImage?.url)).status, 200);
  await must(org.api.call('templates', 'delete', { params: { id } }));
  t.is((await download(second?.backgroundImage?.url)).status, 200);
});

test('unknown, replaced, revoked and expired tokens return the same 404', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const { templateId } = await publishProcess(org.api);
  const [replaced, revoked, expired] = [
    await share(org.api, templateId),
    await share(org.api, templateId),
    await share(org.api, templateId),
  ];
  const { token } = await must(refresh(org.api, replaced.id));
  t.is((await preview(other.api, token)).status, 200);
  t.is((await revoke(org.api, revoked.id)).status, 204);
  await app.provision.query('update template_shares set expires_at = now() where id = $1', [expired.id]);

  const unknown = `share_${'x'.repeat(43)}`;
  for (const each of [unknown, 'x', 'x'.repeat(300), randomUUID(), replaced.token, revoked.token, expired.token]) {
    await isRejected(t, preview(other.api, each), 404, notFound);
    await isRejected(t, importWith(other.api, each), 404, notFound);
  }
  t.is((await must(other.api.call('templates', 'list'))).total, 0);
  const { data } = await must(org.api.call('templates.shares', 'list', { params: { templateId } }));
  t.deepEqual(
    data.map(({ status }) => status),
    ['EXPIRED', 'REVOKED', 'ACTIVE'],
  );

  await isRejected(t, refresh(org.api, expired.id), 400, 'The share has expired; set a later expiresAt first.');
  t.is((await must(update(org.api, expired.id, { expiresAt: null }))).status, 'ACTIVE');
  t.is((await preview(other.api, expired.token)).status, 200);
  const message = 'The share is revoked for good; create another one.';
  await isRejected(t, refresh(org.api, revoked.id), 400, message);
  await isRejected(t, update(org.api, revoked.id, { name: 'New' }), 400, message);
  t.is((await revoke(org.api, revoked.id)).status, 204);
});

test('a share is renamed, and what is left out does not change', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const expiresAt = '2099-01-01T00:00:00.000Z';
  const { token: _, ...made } = await share(api, templateId, { name: 'A', expiresAt });
  t.deepEqual(await must(update(api, made.id, {})), made);
  t.deepEqual(await must(update(api, made.id, { name: 'B' })), { ...made, name: 'B' });
  t.deepEqual(await must(update(api, made.id, { name: null, expiresAt: null })), {
    ...made,
    name: null,
    expiresAt: null,
  });
  await isRejected(t, update(api, made.id, { expiresAt: '2020-01-01T00:00:00Z' }), 400, [
    'expiresAt: must be in the future',
  ]);
});

test('after 30 unknown tokens in a minute an organization gets 429 for every token with every key, and others do not', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const { templateId } = await publishProcess(org.api);
  const { token } = await share(org.api, templateId);
  const guesses = await Promise.all(Array.from({ length: 35 }, () => preview(other.api, randomUUID())));
  t.deepEqual(
    [404, 429].map((code) => guesses.filter(({ status }) => status === code).length),
    [30, 5],
  );
  const { status, error, headers } = await importWith(other.api, token);
  t.is(status, 429);
  t.regex(String(error.message), /^Too many unknown share tokens; check the token and retry in \d+ s\.$/);
  t.truthy(headers.get('retry-after'));
  t.is((await preview(await other.key({ scopes }), token)).status, 429);
  t.is((await preview(org.api, token)).status, 200);
});

test('an import goes where the key may create templates, or nowhere', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const { templateId } = await publishProcess(org.api);
  const { token } = await share(org.api, templateId);
  const folderId = await newFolder(app, other.organizationId);
  const foreign = await newFolder(app, org.organizationId);
  const unknown = ['folderId: not a folder of this organization; see GET /folders, or send null'];
  await isRejected(t, importWith(other.api, token, { folderId: foreign }), 400, unknown);
  const inFolder = await other.key({ scopes, resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [folderId] });
  const message =
    "The API key's resource mode SELECTED_FOLDERS does not allow templates outside the key's folders; set folderId to one of them.";
  await isRejected(t, importWith(inFolder, token), 403, message);
  const own = await must(importWith(inFolder, token, { name: 'Ours', folderId }));
  t.like(own.template, { name: 'Ours', folderId });
  const one = await other.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [own.template.id] });
  const refusal =
    "The API key's resource mode SELECTED_TEMPLATES does not allow creating templates; use a key with another resource mode.";
  await isRejected(t, importWith(one, token, { folderId }), 403, refusal);
  t.is((await preview(one, token)).status, 200);

  t.is((await must(other.api.call('templates', 'list'))).total, 1);
  const [listed] = (await must(org.api.call('templates.shares', 'list', { params: { templateId } }))).data;
  t.is(listed?.importCount, 1);
});

test('the same idempotency key imports once, and concurrent imports are all counted', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const { id } = await sharedByPeople(org);
  const { token } = await share(org.api, id);
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => other.api.raw('POST', `/shared-templates/${token}/import`, { headers });
  t.deepEqual((await send()).body, (await send()).body);
  const burst = await Promise.all(Array.from({ length: 5 }, () => importWith(other.api, token)));
  t.true(burst.every(({ status }) => status === 201));
  t.is((await must(other.api.call('templates', 'list'))).total, 6);
  const [listed] = (await must(org.api.call('templates.shares', 'list', { params: { templateId: id } }))).data;
  t.is(listed?.importCount, 6);
});
