import { setTimeout as pause } from 'node:timers/promises';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test, { type ExecutionContext } from 'ava';
import { whileOther } from '../support/database/while-other.ts';
import { createLink, newEmail, newFormTask } from '../support/form-links.ts';
import { addPasskey } from '../support/world/authenticator.ts';

const app = useSharedApp(test);

/** Deletes a record three times at once: once it succeeds, with one line in the audit log. */
async function isDeletedOnce(
  t: ExecutionContext,
  table: 'webhooks' | 'grants' | 'passkeys' | 'form_links',
  record: { readonly organizationId: string; readonly id: string },
  remove: () => Promise<{ readonly status: number }>,
): Promise<void> {
  const { organizationId, id } = record;
  const lock = `select from ${table} where organization_id = $1 and id = $2 for update`;
  const removals = await whileOther(
    app,
    (client) => client.query(lock, [organizationId, id]),
    () => Promise.all([remove(), remove(), remove()]),
    // Two of them wait for the first one, which `whileOther` does not see.
    { meanwhile: () => pause(300) },
  );
  const statuses = removals.map(({ status }) => status);
  t.deepEqual(
    statuses.toSorted((one, other) => one - other),
    [204, 404, 404],
  );
  const lines = await app.provision.query(
    `select action from audit_lines where organization_id = $1 and action ~ '(deleted|revoked|removed)$'`,
    [organizationId],
  );
  t.is(lines.length, 1);
}

test('a webhook is deleted once', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const body = { name: 'Webhook', url: 'https://93.184.216.34/', enabledEvents: ['run.started' as const] };
  const { id } = await must(api.call('webhooks', 'create', { body }));
  await isDeletedOnce(t, 'webhooks', { organizationId, id }, () => api.call('webhooks', 'delete', { params: { id } }));
});

test('a grant is revoked once', async (t) => {
  const { api, organizationId, ...org } = await newOrganization(app);
  const owner = await org.session();
  const { id: userId } = await addMember(app.baseUrl, owner);
  const { templateId } = await publishProcess(api);
  const { id } = await must(owner.call('grants', 'create', { body: { userId, templateId } }));
  await isDeletedOnce(t, 'grants', { organizationId, id }, () => owner.call('grants', 'delete', { params: { id } }));
});

test('a passkey is removed once', async (t) => {
  const { organizationId, ...org } = await newOrganization(app);
  const owner = await org.session();
  const { id } = (await addPasskey(app.baseUrl, owner)).passkey;
  await isDeletedOnce(t, 'passkeys', { organizationId, id }, () =>
    owner.call('auth', 'deletePasskey', { params: { id } }),
  );
});

test('a form link is revoked once', async (t) => {
  const { org, taskId } = await newFormTask(app);
  const { api, organizationId } = org;
  const { id } = await must(createLink(api, taskId, { email: newEmail() }));
  await isDeletedOnce(t, 'form_links', { organizationId, id }, () =>
    api.call('runs.tasks', 'revokeFormLink', { params: { linkId: id } }),
  );
});
