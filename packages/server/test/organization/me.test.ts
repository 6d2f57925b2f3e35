import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

test('an API key without scopes gets its settings and its organization', async (t) => {
  const org = await newOrganization(app, { plan: 'BUSINESS', timeZone: 'Europe/Berlin' });
  const organization = { id: org.organizationId, name: 'Test', timezone: 'Europe/Berlin', plan: 'BUSINESS' };
  const me = await must((await org.key({})).call('me', 'get'));
  if (me.type !== 'API_KEY') return t.fail(`The type is ${me.type}.`);
  const { id, ...apiKey } = me.apiKey;
  t.deepEqual(me.organization, organization);
  t.deepEqual(apiKey, {
    name: 'Another',
    scopes: [],
    resourceMode: 'ALL',
    scopedTemplateIds: [],
    scopedFolderIds: [],
    expiresAt: null,
    createdByUserId: org.ownerUserId,
  });
  const { data } = await must((await org.session()).call('apiKeys', 'list'));
  t.true(data.some((key) => key.id === id && key.scopes.length === 0));
});

test('a restricted API key gets its restriction and its expiry', async (t) => {
  const org = await newOrganization(app);
  const { id: folder } = await must(org.api.call('folders', 'create', { body: { name: 'Folder' } }));
  const expiresAt = new Date('2999-01-01T00:00:00.000Z');
  const api = await org.key({
    scopes: ['runs:read'],
    resourceMode: 'SELECTED_FOLDERS',
    scopedFolderIds: [folder],
    expiresAt,
  });
  t.like(await must(api.call('me', 'get')), {
    type: 'API_KEY',
    apiKey: {
      scopes: ['runs:read'],
      resourceMode: 'SELECTED_FOLDERS',
      scopedFolderIds: [folder],
      expiresAt: expiresAt.toISOString(),
    },
  });
});

test('a session gets its member and the organization, on every plan', async (t) => {
  const org = await newOrganization(app, { plan: 'FREE' });
  const { id, email, session } = await addMember(app.baseUrl, await org.session(), { name: 'Ada' });
  t.deepEqual(await must(session.call('me', 'get')), {
    type: 'USER',
    organization: { id: org.organizationId, name: 'Test', timezone: 'UTC', plan: 'FREE' },
    user: { id, email, name: 'Ada', role: 'MEMBER' },
  });
  t.is((await org.api.call('me', 'get')).status, 402);
});
