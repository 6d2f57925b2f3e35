import { useApp } from '@runward/testing/app';
import { addMember } from '@runward/testing/members';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { openDatabase } from '../../src/database/database.ts';
import { detectOverdue } from '../../src/runs/change/detect-overdue.ts';
import { assign, launchFor, newMailingOrganization } from '../support/mailing.ts';

const app = useApp(test);

const minutes = (count: number) => new Date(Date.now() + count * 60_000);

test('changes within two minutes are one mail to the member, and later ones are another', async (t) => {
  const org = await newMailingOrganization(app);
  const grace = await org.member('Grace');
  const run = await launchFor(org.api, grace.id, 'Collect the documents');
  await org.notify();
  t.deepEqual(await org.compose(minutes(1.9)), []);
  await launchFor(org.api, grace.id, 'Call the supplier');
  await org.notify(minutes(1.5));
  const [mail, ...others] = await org.compose(minutes(2.1));
  t.deepEqual(others, []);
  t.like(mail, { toAddress: grace.email, status: 'PENDING', heldBy: null });
  t.is(mail?.subject, 'Assigned to you: Collect the documents and 1 more');
  const { runTaskId } = run.byTitle('Collect the documents');
  t.true(mail?.text.includes(`- Collect the documents\n  Run: ${run.title}\n`), mail?.text);
  t.true(mail?.text.includes(`https://runward.example.com/console/tasks/${runTaskId}\n`));
  t.true(mail?.text.includes('- Call the supplier\n'));

  await launchFor(org.api, grace.id, 'Sign');
  await org.notify(minutes(3));
  t.deepEqual(
    (await org.compose(minutes(6))).map(({ subject }) => subject),
    [mail?.subject ?? '', 'Assigned to you: Sign'],
  );
});

test('members are not told what they did themselves, and events become notifications once', async (t) => {
  const org = await newMailingOrganization(app);
  const owner = await org.session();
  const grace = await addMember(app.baseUrl, owner);
  const run = await launchFor(owner, org.ownerUserId, 'Prepare');
  const { runTaskId } = run.byTitle('Prepare');
  await assign(owner, runTaskId, grace.id);
  await assign(grace.session, runTaskId, org.ownerUserId);
  await Promise.all([org.notify(), org.notify()]);
  await org.notify();
  const told = (await org.notifications()).map(({ kind, userId }) => [kind, userId]);
  t.deepEqual(told, [['ASSIGNED', org.ownerUserId]]);
});

test('a group with a task is told, without its deactivated members and those who want nothing', async (t) => {
  const org = await newMailingOrganization(app);
  const owner = await org.session();
  const [grace, ada, alan] = [await org.member('Grace'), await org.member('Ada'), await org.member('Alan')];
  const memberIds = [grace.id, ada.id, alan.id, org.ownerUserId];
  const group = await must(owner.call('groups', 'create', { body: { name: 'Finance', memberIds } }));
  await must(owner.call('users', 'delete', { params: { id: ada.id } }));
  await org.prefer(alan.id, { kinds: { ASSIGNED: 'NEVER' } });
  const { templateId } = await publishProcess(owner, [{ title: 'Pay', assigneeGroupId: group.id }]);
  await launchRun(owner, templateId);
  await org.notify();
  t.deepEqual([...new Set((await org.notifications()).map(({ userId }) => userId))], [grace.id]);
});

test('a notification that no longer holds is dropped with its reason', async (t) => {
  const org = await newMailingOrganization(app);
  const owner = await org.session();
  const [grace, ada, alan] = [await org.member('Grace'), await org.member('Ada'), await org.member('Alan')];
  const run = await launchFor(owner, grace.id, 'Prepare');
  await launchFor(owner, ada.id, 'Pay');
  await launchFor(owner, alan.id, 'Sign');
  await org.notify();
  await assign(owner, run.byTitle('Prepare').runTaskId, null);
  await must(owner.call('users', 'delete', { params: { id: ada.id } }));
  await org.prefer(alan.id, { kinds: { ASSIGNED: 'NEVER' } });
  t.deepEqual(await org.compose(minutes(3)), []);
  const reasons = new Map((await org.notifications()).map((each) => [each.userId, each.droppedReason]));
  t.is(reasons.get(grace.id), 'OBSOLETE');
  t.is(reasons.get(alan.id), 'UNWANTED');
  t.is(reasons.get(ada.id), 'DEACTIVATED');
});

test('a digest is written at the hour of the member in the time zone of the organization', async (t) => {
  const org = await newMailingOrganization(app, { timeZone: 'Asia/Tokyo' });
  const grace = await org.member('Grace');
  await org.prefer(grace.id, { kinds: { ASSIGNED: 'DIGEST' }, digestHour: 9 });
  await launchFor(org.api, grace.id, 'Prepare');
  const now = new Date();
  await org.notify(now);
  const [notification] = await org.notifications();
  const due = notification?.dueAt ?? new Date(0);
  t.is(due.getUTCHours(), 0);
  t.true(due > now && due.getTime() <= now.getTime() + 24 * 3_600_000);
  t.deepEqual(await org.compose(new Date(due.getTime() - 1)), []);
  t.is((await org.compose(due)).length, 1);
});

test('approvers are told that an approval waits, and those who filled in the form that it was rejected', async (t) => {
  const org = await newMailingOrganization(app);
  const owner = await org.session();
  const [grace, ada] = [await addMember(app.baseUrl, owner), await addMember(app.baseUrl, owner)];
  const { templateId, fields } = await publishProcess(owner, [
    {
      title: 'Pay',
      assigneeId: ada.id,
      approval: { approverIds: [grace.id] },
      fields: [{ label: 'Amount', key: 'amount', type: 'TEXT', required: true }],
    },
  ]);
  const run = await launchRun(owner, templateId);
  await org.notify();
  const { runTaskId } = run.byTitle('Pay');
  const { id: executionEntryId } = await must(ada.session.call('execution', 'open', { body: { runTaskId } }));
  const body = { executionEntryId, runTaskFieldId: fields['amount']?.id ?? '', value: 'EUR 4711' };
  await must(ada.session.call('execution', 'submit', { body }));
  await org.notify();
  const [asked] = await org.compose(minutes(3));
  t.like(asked, { userId: grace.id, subject: 'Waiting for your approval: Pay' });
  t.notRegex(`${asked?.text}${asked?.html}`, /EUR 4711/);
  const params = { taskId: runTaskId };
  await must(grace.session.call('runs.tasks', 'reject', { params, body: { comment: 'Too much' } }));
  await org.notify();
  const mails = await org.compose(minutes(6));
  t.like(mails.at(-1), { userId: ada.id, subject: 'Rejected: Pay' });
  const kinds = (await org.notifications()).map(({ kind, userId, mailId }) => [
    kind,
    userId === ada.id,
    mailId !== null,
  ]);
  t.deepEqual(kinds.at(-1), ['REJECTED', true, true]);
});

test('members who are mentioned are told, alone or by their group, but not of a comment that was deleted', async (t) => {
  const org = await newMailingOrganization(app);
  const owner = await org.session();
  const [grace, ada] = [await org.member('Grace'), await org.member('Ada')];
  const group = await must(
    owner.call('groups', 'create', { body: { name: 'Finance', memberIds: [ada.id, org.ownerUserId] } }),
  );
  const { templateId } = await publishProcess(owner, [{ title: 'Pay' }]);
  const run = await launchRun(owner, templateId, { title: 'Laptop' });
  const params = { taskId: run.byTitle('Pay').runTaskId };
  const comment = (mentions: object) =>
    must(owner.call('runs.tasks', 'comment', { params, body: { text: 'Is this **right**?', mentions } }));
  await comment({ userIds: [grace.id], groupIds: [group.id] });
  const { id: commentId } = await comment({ userIds: [grace.id] });
  await org.notify();
  await must(owner.call('runs.comments', 'delete', { params: { commentId } }));
  const mails = await org.compose(minutes(3));
  t.deepEqual(
    Object.fromEntries(mails.map(({ userId, subject }) => [userId, subject])),
    Object.fromEntries([grace, ada].map(({ id }) => [id, 'You were mentioned: Pay'])),
  );
  const dropped = (await org.notifications()).filter(({ droppedReason }) => droppedReason === 'OBSOLETE');
  t.deepEqual(
    dropped.map((each) => each.commentId),
    [commentId],
  );
});

test('members are told only of what they have access to when the mail is written', async (t) => {
  const org = await newMailingOrganization(app);
  const owner = await org.session();
  const [ada, grace, guest] = [await org.member('Ada'), await org.member('Grace'), await org.member('Guest')];
  const { templateId } = await publishProcess(owner, [{ title: 'Pay' }, { title: 'Check', assigneeId: guest.id }]);
  const run = await launchRun(owner, templateId, { title: 'Laptop' });
  for (const { id } of [ada, grace])
    await must(owner.call('users', 'update', { params: { id }, body: { resourceMode: 'GRANTED' } }));
  await must(owner.call('users', 'update', { params: { id: guest.id }, body: { role: 'GUEST' } }));
  const { id: grantId } = await must(owner.call('grants', 'create', { body: { userId: grace.id, templateId } }));
  const mentions = { userIds: [ada.id, grace.id, guest.id] };
  for (const title of ['Pay', 'Check']) {
    const params = { taskId: run.byTitle(title).runTaskId };
    await must(owner.call('runs.tasks', 'comment', { params, body: { text: 'Is this right?', mentions } }));
  }
  await org.notify();
  const mails = await org.compose(minutes(3));
  const names = new Map([ada, grace, guest].map(({ id }, index) => [id, ['Ada', 'Grace', 'Guest'][index]]));
  const told = mails.flatMap(({ userId, text }) =>
    [...text.matchAll(/^- (.*)$/gm)].map(([, title]) => `${names.get(userId)}: ${title}`),
  );
  t.deepEqual([...new Set(told)].toSorted(), ['Grace: Check', 'Grace: Pay', 'Guest: Check']);
  t.is((await org.notifications()).filter(({ droppedReason }) => droppedReason === 'OUT_OF_SCOPE').length, 3);

  await must(
    owner.call('runs.tasks', 'setAssignee', {
      params: { taskId: run.byTitle('Pay').runTaskId },
      body: { assigneeId: grace.id },
    }),
  );
  await org.notify();
  await must(owner.call('grants', 'delete', { params: { id: grantId } }));
  t.is((await org.compose(minutes(6))).length, mails.length);
});

test('the member with an overdue task is told', async (t) => {
  const org = await newMailingOrganization(app);
  const grace = await org.member('Grace');
  const run = await launchFor(org.api, grace.id, 'Pay');
  const params = { taskId: run.byTitle('Pay').runTaskId };
  const body = { dueAt: new Date(Date.now() - 60_000).toISOString() };
  await must(org.api.call('runs.tasks', 'setDueDate', { params, body }));
  await detectOverdue({ database: app.database, dispatcher: app.dispatcher });
  await org.notify();
  const [mail] = await org.compose(minutes(3));
  t.is(mail?.subject, 'Overdue: Pay and 1 more');
  t.regex(mail?.text ?? '', /^Overdue\n\n- Pay\n {2}Run: .*\n {2}Due \d+ \w+ \d{4}, \d\d:\d\d \(UTC\)\n/);
});

test('mails beyond a limit wait until 24 hours contain fewer', async (t) => {
  const org = await newMailingOrganization(app, { limits: { mailsPerMember: 2, mailsPerOrganization: 3 } });
  const [grace, ada] = [await org.member('Grace'), await org.member('Ada')];
  const start = Date.now();
  for (const [index, member] of [grace, grace, grace, ada, ada].entries()) {
    await launchFor(org.api, member.id, `Task ${index}`);
    await org.notify(new Date(start + index * 600_000));
    await org.compose(new Date(start + index * 600_000 + 300_000));
  }
  const mails = await org.compose();
  const minutesAfter = ({ scheduledAt }: { scheduledAt: Date }) => Math.round((scheduledAt.getTime() - start) / 60_000);
  t.deepEqual(
    mails.map((mail) => [mail.heldBy, minutesAfter(mail)]),
    [
      [null, 5],
      [null, 15],
      ['MEMBER_LIMIT', 24 * 60 + 5],
      ['ORGANIZATION_LIMIT', 24 * 60 + 5],
      ['ORGANIZATION_LIMIT', 24 * 60 + 15],
    ],
  );
});

test('a run that cannot be read keeps no other member from their mail', async (t) => {
  // Another database handle, whose cache does not have the run.
  const database = await openDatabase(app.databaseUrl);
  t.teardown(() => database.close());
  const org = await newMailingOrganization({ ...app, database });
  const [ada, grace] = [await org.member('Ada'), await org.member('Grace')];
  const damaged = await launchFor(org.api, ada.id, 'Damaged');
  await launchFor(org.api, grace.id, 'Whole');
  await org.notify();
  const own = 'where organization_id = $1 and run_id = $2';
  const ids = [org.organizationId, damaged.id];
  const [task] = await app.provision.query<{ id: string }>(`select task_id as id from run_tasks ${own}`, ids);
  const setTask = (id: string | undefined) =>
    app.provision.query(`update run_tasks set task_id = $3 ${own}`, [...ids, id]);
  await setTask('00000000-0000-0000-0000-000000000000');
  const error = { instanceOf: AggregateError, message: 'Mails to 1 member were not written.' };
  await t.throwsAsync(org.compose(minutes(3)), error);
  await setTask(task?.id);
  t.deepEqual(
    (await org.compose(minutes(3))).map(({ toAddress }) => toAddress),
    [grace.email, ada.email],
  );
});

test('many events that notify many members are worked off in small transactions', async (t) => {
  const org = await newMailingOrganization(app);
  const ids = [org.organizationId];
  await app.provision.query(
    `insert into users select $1::uuid, gen_random_uuid(), count || '@' || $1::text || '.example', 'Member', 'MEMBER', 'ACTIVE',
      '', now() from generate_series(1, 30) count`,
    ids,
  );
  const users = await app.provision.query<{ id: string }>(
    `select id from users where organization_id = $1 and name = 'Member'`,
    ids,
  );
  const memberIds = users.map(({ id }) => id);
  const { id: assigneeGroupId } = await must(
    (await org.session()).call('groups', 'create', { body: { name: 'All', memberIds } }),
  );
  const { templateId } = await publishProcess(org.api, [{ title: 'Ask', assigneeGroupId }]);
  const runs = Array.from({ length: 30 }, () => ({ templateId }));
  await must(org.api.call('runs', 'bulkLaunch', { body: { runs } }));
  await org.notify();
  const written = await app.provision.query<{ count: number }>(
    'select count(*)::int as count from notifications where organization_id = $1 group by xmin',
    ids,
  );
  t.true(written.reduce((sum, { count }) => sum + count, 0) >= 900);
  t.true(written.every(({ count }) => count <= 600));
});
