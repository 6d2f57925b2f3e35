import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { formWith } from '@runward/testing/page-client';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { beginTask } from '../../../support/console.ts';

const app = useSharedApp(test);

test('the last of 1,200 members, of whom most have left, can be assigned a task, and is named', async (t) => {
  const org = await newOrganization(app);
  const { member, path } = await beginTask(app, org, [{ title: 'Form' }]);
  const last = await addMember(app.baseUrl, await org.session(), { name: 'Zoë' });
  await app.provision.query(
    `insert into users (organization_id, id, email, name, role, status, password_hash, created_at)
     select $1, uuidv7(), uuidv7() || '@example.com', 'A' || n, 'MEMBER', 'DEACTIVATED', '', now()
     from generate_series(1, 1200) n`,
    [org.organizationId],
  );
  const { action, fields } = formWith((await member.get(path('Form'))).html, 'Reassign to');
  fields.set('assignee', `user:${last.id}`);
  fields.set('action', 'reassign');
  t.is((await member.submit(action, fields)).headers.get('location'), `${path('Form')}?notice=reassigned`);
  const { html } = await member.get(path('Form'));
  t.regex(html, /Assigned to<\/dt>\s*<dd>Zoë</);
  t.regex(html, new RegExp(`<optgroup label="Members">[^]*value="user:${last.id}" selected>Zoë<`));
});
