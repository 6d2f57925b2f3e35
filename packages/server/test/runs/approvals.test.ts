import { randomUUID } from 'node:crypto';
import type { BodyInput, Contract } from '@runward/contract';
import { signIn, type Api } from '@runward/testing/api';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import { verify } from '@runward/webhooks';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

type Approval = NonNullable<BodyInput<Contract['templates.tasks']['create']>['approval']>;

/** A member who is signed in. */
async function newMember({ session }: TestOrganization, name = 'Grace') {
  const owner = await session();
  const body = { email: `${randomUUID()}@example.com`, name, password: randomUUID() };
  const { id } = await must(owner.call('users', 'create', { body }));
  return { id, api: await signIn(app.baseUrl, body.email, body.password), deactivate: () => remove(owner, id) };
}

const remove = (owner: Api, id: string) => must(owner.call('users', 'delete', { params: { id } }));

/** A run whose only task waits for its approval; the API key, so its creator, filled in the form. */
async function waiting(org: TestOrganization, approval: Approval) {
  const { api } = org;
  const { templateId, taskIds, fields } = await publishProcess(api, [
    { title: 'Pay', approval, fields: [{ label: 'Amount', key: 'amount', type: 'TEXT', required: true }] },
  ]);
  const run = await launchRun(api, templateId);
  const { runTaskId } = run.byTitle('Pay');
  const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId } }));
  const submit = (value: string) =>
    must(
      api.call('execution', 'submit', {
        body: { executionEntryId, runTaskFieldId: fields['amount']?.id ?? '', value },
      }),
    );
  await submit('100');
  return {
    run,
    /** Publishes a version with another approval, and migrates the run to it. */
    migrate: async (changed: Approval | null) => {
      const params = { id: templateId, taskId: taskIds['Pay'] ?? '' };
      await must(api.call('templates.tasks', 'update', { params, body: { approval: changed } }));
      const { id: toVersionId } = await must(api.call('templates', 'publish', { params: { id: templateId } }));
      await must(api.call('runs', 'migrate', { params: { id: run.id }, body: { toVersionId } }));
    },
    runTaskId,
    executionEntryId,
    submit,
    complete: () => api.call('execution', 'complete', { body: { executionEntryId } }),
    task: async () => (await getRun(api, run.id)).byTitle('Pay'),
  };
}

const approve = (api: Api, taskId: string, comment?: string) =>
  api.call('runs.tasks', 'approve', { params: { taskId }, body: comment === undefined ? {} : { comment } });

const reject = (api: Api, taskId: string, comment = 'Too much') =>
  api.call('runs.tasks', 'reject', { params: { taskId }, body: { comment } });

test('a task waits for its approval, and the trail tells who asked and who decided', async (t) => {
  const org = await newOrganization(app);
  const grace = await newMember(org);
  const { run, runTaskId, executionEntryId, submit, complete, task } = await waiting(org, { approverIds: [grace.id] });

  t.like(await task(), { status: 'PENDING_APPROVAL', approval: { status: 'REQUESTED', approverIds: [grace.id] } });
  const listed = await must(org.api.call('runs.tasks', 'list', { query: { status: 'PENDING_APPROVAL' } }));
  t.deepEqual(
    listed.data.map((each) => each.runTaskId),
    [runTaskId],
  );
  const message = 'The task "Pay" is waiting for its approval; have it approved or rejected first.';
  await isRejected(t, complete(), 400, message, 'approval_pending');
  const setStatus = { params: { taskId: runTaskId }, body: { status: 'COMPLETED' as const } };
  await isRejected(t, org.api.call('runs.tasks', 'setStatus', setStatus), 400, message, 'approval_pending');
  const bulk = { body: { taskIds: [runTaskId], status: 'COMPLETED' as const } };
  await isRejected(
    t,
    org.api.call('runs.tasks', 'bulkUpdate', bulk),
    400,
    [`taskIds[0]: ${message}`],
    'approval_pending',
  );
  await isRejected(
    t,
    approve(org.api, runTaskId),
    403,
    'You are not an approver of the task "Pay"; ask one of its approvers.',
    'not_an_approver',
  );
  t.is(
    (await grace.api.call('runs.tasks', 'reject', { params: { taskId: runTaskId }, body: { comment: ' ' } })).status,
    400,
  );

  t.like(await must(reject(grace.api, runTaskId)), { status: 'PENDING', approval: { status: 'REJECTED' } });
  await submit('90');
  const approved = await must(approve(grace.api, runTaskId, 'Fine'));
  t.like(approved, { status: 'PENDING', approval: { status: 'GRANTED' } });
  t.deepEqual(
    approved.approval?.decisions.map(({ userId, decision, comment }) => [userId, decision, comment]),
    [[grace.id, 'GRANTED', 'Fine']],
  );
  t.is((await complete()).status, 204);
  t.is((await getRun(org.api, run.id)).status, 'COMPLETED');

  const trail = (query: object) =>
    must(org.api.call('runs.tasks', 'approvalTrail', { params: { taskId: runTaskId }, query }));
  const { data, total } = await trail({});
  t.is(total, 4);
  t.deepEqual(
    data.map(({ type, userId, comment }) => [type, userId, comment]),
    [
      ['GRANTED', grace.id, 'Fine'],
      ['REQUESTED', org.ownerUserId, null],
      ['REJECTED', grace.id, 'Too much'],
      ['REQUESTED', org.ownerUserId, null],
    ],
  );
  t.true(data.every((each) => each.executionEntryId === executionEntryId));
  const first = await trail({ limit: 3 });
  t.deepEqual((await trail({ limit: 3, cursor: first.nextCursor ?? '' })).data, data.slice(3));

  const { data: events } = await must(org.api.call('events', 'list', { query: {} }));
  t.deepEqual(
    events.flatMap(({ event, data }) => (event.startsWith('approval.') ? [[event, data['actorUserId']]] : [])),
    [
      ['approval.requested', org.ownerUserId],
      ['approval.rejected', grace.id],
      ['approval.requested', org.ownerUserId],
      ['approval.granted', grace.id],
    ],
  );
});

test('of two simultaneous decisions one counts, and the other is a 400', async (t) => {
  const org = await newOrganization(app);
  const grace = await newMember(org);
  const linus = await newMember(org);
  const { runTaskId, task } = await waiting(org, { approverIds: [grace.id, linus.id] });

  const answers = await Promise.all([approve(grace.api, runTaskId), reject(linus.api, runTaskId)]);

  const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
  t.deepEqual(statuses, [200, 400]);
  const [granted] = answers;
  const { approval } = await task();
  t.is(approval?.status, granted?.status === 200 ? 'GRANTED' : 'REJECTED');
  t.is(approval?.decisions.length, 1);
});

test('the members of a group are those at the time of the decision, and an old version is not approved', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const grace = await newMember(org);
  const { id: groupId } = await must(owner.call('groups', 'create', { body: { name: 'Finance' } }));
  const { run, runTaskId, submit } = await waiting(org, { approverGroupIds: [groupId], policy: 'ALL' });
  t.is((await approve(grace.api, runTaskId)).status, 403);

  await must(owner.call('groups', 'update', { params: { id: groupId }, body: { memberIds: [grace.id] } }));
  const { version } = await must(grace.api.call('runs', 'get', { params: { id: run.id } }));
  await submit('5000');
  const headers = { 'if-match': `"${version}"` };
  t.is((await grace.api.raw('POST', `/runs/tasks/${runTaskId}/approval`, { body: {}, headers })).status, 412);
  t.like(await must(approve(grace.api, runTaskId)), { approval: { status: 'GRANTED' } });
});

test('a member who filled in the form decides only if that is allowed, and a deactivated one never', async (t) => {
  const org = await newOrganization(app);
  const own = await waiting(org, {});
  const message = 'You filled in the form of the task "Pay"; somebody else has to decide on it.';
  await isRejected(t, approve(org.api, own.runTaskId), 403, message);
  const allowed = await waiting(org, { allowSelfApproval: true });
  t.is((await approve(org.api, allowed.runTaskId)).status, 200);

  const grace = await newMember(org);
  await grace.deactivate();
  t.is((await approve(grace.api, own.runTaskId)).status, 401);
});

test('the policy ALL waits for every named member and one of the group, and all are asked again about another value', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const [grace, linus, bob] = [await newMember(org), await newMember(org, 'Linus'), await newMember(org, 'Bob')];
  const body = { name: 'Finance', memberIds: [bob.id] };
  const { id: groupId } = await must(owner.call('groups', 'create', { body }));
  const { run, runTaskId, submit, complete, task } = await waiting(org, {
    policy: 'ALL',
    approverIds: [grace.id, linus.id],
    approverGroupIds: [groupId],
  });
  const explained = async () => {
    const { tasks } = await must(org.api.call('runs', 'explain', { params: { id: run.id } }));
    return tasks[0]?.reasons.find(({ code }) => /APPROVAL/.test(code));
  };

  t.like(await must(approve(grace.api, runTaskId)), { status: 'PENDING_APPROVAL', approval: { status: 'REQUESTED' } });
  const again = 'You have approved the task "Pay" already; the other approvers still have to decide.';
  await isRejected(t, approve(grace.api, runTaskId), 400, again);
  const missing = `user ${linus.id}, group ${groupId}`;
  const message = `The task "Pay" is waiting for the approval of ${missing}; have it approved or rejected first.`;
  await isRejected(t, complete(), 400, message);
  const reason = await explained();
  t.like(reason, { code: 'WAITING_FOR_APPROVAL', approverIds: [linus.id], approverGroupIds: [groupId] });
  t.true(
    reason?.message.startsWith(
      'Its form waits for the approval of each of Linus, Finance. Approved so far by Grace. Who filled it in does not decide: ',
    ),
  );

  await submit('5000');
  t.deepEqual((await task()).approval?.decisions, []);
  for (const { api } of [bob, linus]) {
    t.like(await must(approve(api, runTaskId)), { status: 'PENDING_APPROVAL' });
  }
  t.like(await must(approve(grace.api, runTaskId)), { status: 'PENDING', approval: { status: 'GRANTED' } });
  t.like(await explained(), { code: 'APPROVAL_GRANTED', approverIds: [bob.id, linus.id, grace.id] });
  t.is((await complete()).status, 204);

  const { data: trail } = await must(
    org.api.call('runs.tasks', 'approvalTrail', { params: { taskId: runTaskId }, query: {} }),
  );
  t.deepEqual(
    trail.map(({ type, userId }) => [type, userId]),
    [
      ['GRANTED', grace.id],
      ['GRANTED', linus.id],
      ['GRANTED', bob.id],
      ['REQUESTED', org.ownerUserId],
      ['INVALIDATED', org.ownerUserId],
      ['GRANTED', grace.id],
      ['REQUESTED', org.ownerUserId],
    ],
  );
  const { data: events } = await must(org.api.call('events', 'list', { query: {} }));
  t.deepEqual(
    events.flatMap(({ event, data }) => (event.startsWith('approval.') ? [[event, data['actorUserId']]] : [])),
    [
      ['approval.requested', org.ownerUserId],
      ['approval.requested', org.ownerUserId],
      ['approval.granted', grace.id],
    ],
  );
});

test('a migration keeps an approval, asks again if other approvers are named, and drops it if none is needed', async (t) => {
  const org = await newOrganization(app);
  const grace = await newMember(org);
  const linus = await newMember(org, 'Linus');
  const { runTaskId, migrate, complete, task } = await waiting(org, {
    policy: 'ALL',
    approverIds: [grace.id, linus.id],
  });
  await must(approve(grace.api, runTaskId));

  await migrate({ policy: 'ALL', approverIds: [grace.id, linus.id] });
  t.like(await task(), { status: 'PENDING_APPROVAL', approval: { decisions: [{ userId: grace.id }] } });

  await migrate({ approverIds: [linus.id] });
  t.like(await task(), {
    status: 'PENDING_APPROVAL',
    approval: { status: 'REQUESTED', policy: 'ANY', approverIds: [linus.id] },
  });
  t.deepEqual((await task()).approval?.decisions, []);
  t.is((await approve(grace.api, runTaskId)).status, 403);
  await must(approve(linus.api, runTaskId));

  await migrate({ approverIds: [grace.id] });
  t.like(await task(), { status: 'PENDING_APPROVAL', approval: { status: 'REQUESTED' } });
  t.is((await complete()).status, 400);

  await migrate(null);
  t.like(await task(), { status: 'PENDING', approval: null });
  t.is((await complete()).status, 204);
});

test('a subscribed receiver gets each event of an approval once, with the entry, the member and the comment', async (t) => {
  await using receiver = await startReceiver();
  const org = await newOrganization(app);
  const grace = await newMember(org);
  const enabledEvents = ['approval.requested', 'approval.granted', 'approval.rejected', 'run.completed'] as const;
  const body = { name: 'Approvals', url: receiver.url, enabledEvents: [...enabledEvents] };
  await must(org.api.call('webhooks', 'create', { body }));
  const { run, runTaskId, executionEntryId, submit, complete } = await waiting(org, { approverIds: [grace.id] });
  await must(reject(grace.api, runTaskId));
  await submit('90');
  await must(approve(grace.api, runTaskId, 'Fine'));
  await complete();

  const requests = await receiver.wait(5);
  const heard = await Promise.all(
    requests.map(({ body, headers }) => verify(body, headers, { secret: org.signingSecret })),
  );
  const inOrder = heard.toSorted((one, other) => Number(one.data['sequence']) - Number(other.data['sequence']));
  t.deepEqual(
    inOrder.map(({ event, data }) => [event, ...('comment' in data ? [data['actorUserId'], data['comment']] : [])]),
    [
      ['approval.requested', org.ownerUserId, null],
      ['approval.rejected', grace.id, 'Too much'],
      ['approval.requested', org.ownerUserId, null],
      ['approval.granted', grace.id, 'Fine'],
      ['run.completed'],
    ],
  );
  for (const { data } of inOrder.slice(0, 4)) t.like(data, { runId: run.id, runTaskId, executionEntryId });
});
