import { setTimeout as pause } from 'node:timers/promises';
import { useApp } from '@runward/testing/app';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import test, { type ExecutionContext } from 'ava';
import { lockRow } from '../../src/database/lock-row.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { Grant } from '../../src/organization/entities/grant.ts';
import { Passkey } from '../../src/organization/entities/passkey.ts';
import { FormLink } from '../../src/runs/entities/form-link.ts';
import { Webhook } from '../../src/webhooks/entities/webhook.ts';
import { untilOthersWait } from '../support/database/locks.ts';
import { createLink, newEmail, newFormTask } from '../support/form-links.ts';
import { addPasskey } from '../support/world/authenticator.ts';

const app = useApp(test);

type Schema = typeof Webhook | typeof Grant | typeof Passkey | typeof FormLink;

/** Deletes a record three times at once: once it succeeds, with one line in the audit log. */
async function isDeletedOnce(
  t: ExecutionContext,
  schema: Schema,
  record: { readonly organizationId: string; readonly id: string },
  remove: () => Promise<{ readonly status: number }>,
): Promise<void> {
  const { removals } = await inTransaction(app.database, async (em) => {
    await lockRow(em, schema, record, 'update');
    const all = [remove(), remove(), remove()];
    await untilOthersWait((text) => em.execute(text));
    // Two of them wait for the first one, which `untilOthersWait` does not see.
    await pause(300);
    return { removals: all };
  });
  const statuses = (await Promise.all(removals)).map(({ status }) => status);
  t.deepEqual(
    statuses.toSorted((one, other) => one - other),
    [204, 404, 404],
  );
  const lines = await app.provision.query(
    `select action from audit_lines where organization_id = $1 and action ~ '(deleted|revoked|removed)$'`,
    [record.organizationId],
  );
  t.is(lines.length, 1);
}

test('a webhook is deleted once', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const body = { name: 'Webhook', url: 'https://93.184.216.34/', enabledEvents: ['run.started' as const] };
  const { id } = await must(api.call('webhooks', 'create', { body }));
  await isDeletedOnce(t, Webhook, { organizationId, id }, () => api.call('webhooks', 'delete', { params: { id } }));
});

test('a grant is revoked once', async (t) => {
  const { api, organizationId, ...org } = await newOrganization(app);
  const owner = await org.session();
  const { id: userId } = await addMember(app.baseUrl, owner);
  const { templateId } = await publishProcess(api);
  const { id } = await must(owner.call('grants', 'create', { body: { userId, templateId } }));
  await isDeletedOnce(t, Grant, { organizationId, id }, () => owner.call('grants', 'delete', { params: { id } }));
});

test('a passkey is removed once', async (t) => {
  const { organizationId, ...org } = await newOrganization(app);
  const owner = await org.session();
  const { id } = (await addPasskey(app.baseUrl, owner)).passkey;
  await isDeletedOnce(t, Passkey, { organizationId, id }, () =>
    owner.call('auth', 'deletePasskey', { params: { id } }),
  );
});

test('a form link is revoked once', async (t) => {
  const { org, taskId } = await newFormTask(app);
  const { api, organizationId } = org;
  const { id } = await must(createLink(api, taskId, { email: newEmail() }));
  await isDeletedOnce(t, FormLink, { organizationId, id }, () =>
    api.call('runs.tasks', 'revokeFormLink', { params: { linkId: id } }),
  );
});
