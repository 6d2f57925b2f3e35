import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { launchRun, publishProcess } from '@runward/testing/process';
import test from 'ava';

const app = useApp(test);

test('a text with nothing but @ is too long, in an organization whose members have the same name', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const { id } = await launchRun(org.api, templateId);
  await app.provision.query(
    `insert into users (organization_id, id, email, name, role, status, password_hash, created_at)
     select $1, uuidv7(), 'at-' || n || '@example.com', '@', 'MEMBER', 'ACTIVE', '', now() from generate_series(1, 500) n`,
    [org.organizationId],
  );
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  const path = `/console/runs/${id}`;
  const { csrf = '' } = fieldsOf((await client.get(path)).html);
  const { status, html } = await client.submit(`${path}/comments`, { csrf, text: '@'.repeat(300_000) });
  t.is(status, 400);
  t.regex(html, /must be at most 20480 bytes/);
});
