import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { getPage } from '../../../support/pages.ts';

const app = useSharedApp(test);

test('the inbox lists the tasks of the member by deadline, and those of a kind in its tab', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'Sign the <contract>' }, { title: 'Later' }]);
  const run = await launchRun(org.api, templateId, { title: 'Ada & Co' });

  for (const title of ['Sign the <contract>', 'Later']) {
    const { runTaskId } = run.byTitle(title);
    await must(
      org.api.call('runs.tasks', 'setAssignee', {
        params: { taskId: runTaskId },
        body: { assigneeId: org.ownerUserId },
      }),
    );
  }
  const { runTaskId } = run.byTitle('Sign the <contract>');
  const body = { dueAt: '2020-01-01T10:00:00Z' };
  await must(org.api.call('runs.tasks', 'setDueDate', { params: { taskId: runTaskId }, body }));
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);

  const { status, html } = await member.get('/console/tasks');
  t.is(status, 200);
  t.regex(html, /Overdue[^]*Sign the &lt;contract&gt;[^]*Ada &amp; Co[^]*No date[^]*Later/);
  t.regex(html, /All <span class="count">2<\/span>/);
  t.regex((await member.get('/console/tasks?show=GROUP')).html, /None of your tasks is here/);
});

test('a stranger signs in first and is then where they wanted to go', async (t) => {
  const org = await newOrganization(app);
  const wanted = '/console/tasks?show=GROUP';
  const { status, headers } = await getPage(app, wanted);
  t.is(status, 303);
  t.is(headers.get('location'), `/sign-in?next=${encodeURIComponent(wanted)}`);
  const signedIn = await newClient(app).signIn(org.ownerEmail, org.ownerPassword, wanted);
  t.is(signedIn.headers.get('location'), wanted);
});

test('an error of an endpoint is a page of the console that says what to do', async (t) => {
  const org = await newOrganization(app);
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  const { status, html } = await member.get('/console/tasks?cursor=nonsense');
  t.is(status, 400);
  t.regex(html, /<h1>This did not work<\/h1>[^]*cursor/);
});
