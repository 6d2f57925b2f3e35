import type { Api } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import { verify } from '@runward/webhooks';
import test from 'ava';
import { calendarOf } from '../../src/calendar.ts';
import { neglect } from '../support/attention.ts';
import { connectTo } from '../support/database/connect.ts';
import { whileOther } from '../support/database/while-other.ts';
import { isRejected } from '../support/expect-rejection.ts';
import { isFolded } from '../support/folded-run.ts';
import { during } from '../support/time.ts';

const app = useSharedApp(test);

const update = (by: Api, body: object) => by.raw('PATCH', '/organization', { body });
const rotate = (by: Api, overlapHours?: number) =>
  by.call('organization', 'rotateSigningSecret', overlapHours === undefined ? {} : { body: { overlapHours } });
const readSecret = (by: Api) => must(by.call('organization', 'signingSecret'));

test('the settings are read, and changed separately', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const before = await must(owner.call('organization', 'get'));
  t.like(before, { id: org.organizationId, name: 'Test', timezone: 'UTC', remindBefore: 'P1D', plan: 'ENTERPRISE' });
  t.deepEqual(Object.keys(before).sort(), ['createdAt', 'id', 'name', 'plan', 'remindBefore', 'timezone', 'version']);

  const versions = new Set([before.version]);
  const changed = async (body: object) => {
    const { version, ...rest } = (await update(owner, body)).body as typeof before;
    versions.add(version);
    return rest;
  };
  const { version, ...settings } = before;
  t.deepEqual((await update(owner, {})).body, { ...settings, version });
  t.deepEqual(await changed({ name: ' New ' }), { ...settings, name: 'New' });
  t.deepEqual(await changed({ timezone: 'Asia/Kolkata' }), {
    ...settings,
    name: 'New',
    timezone: 'Asia/Kolkata',
  });
  t.is((await org.api.raw('GET', '/runs')).status, 200);
  await isRejected(t, update(owner, { plan: 'FREE' }), 400, ['plan: unknown parameter; remove it']);
  await org.setPlan('FREE');
  versions.add((await must(owner.call('organization', 'get'))).version);
  t.is((await org.api.raw('GET', '/runs')).status, 402);
  t.like(await must(owner.call('organization', 'get')), { name: 'New', timezone: 'Asia/Kolkata', plan: 'FREE' });
  t.is(versions.size, 4);
});

test('a time zone must be an existing IANA name', async (t) => {
  const owner = await (await newOrganization(app)).session();
  for (const timezone of ['', 'Mars/Olympus', '+01:00', 'UTC+1', 'Europe/Berlin ', 'local']) {
    await isRejected(t, update(owner, { timezone, name: 'x' }), 400, [
      'timezone: must be an IANA time zone, like Europe/Berlin',
    ]);
  }
  t.is((await must(owner.call('organization', 'get'))).name, 'Test');
  for (const timezone of Intl.supportedValuesOf('timeZone').filter((_, index) => index % 40 === 0)) {
    t.like((await update(owner, { timezone })).body, { timezone });
    t.notThrows(() => calendarOf(timezone).endOfDay('2026-01-01T00:00:00.000Z'));
  }
});

test('only owners and admins see the settings and the signing secret', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const admin = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  const member = await addMember(app.baseUrl, owner);
  t.is((await readSecret(admin.session)).secret, org.signingSecret);
  t.is((await update(admin.session, { name: 'By admin' })).status, 200);
  for (const [by, status] of [
    [member.session, 403],
    [org.api, 401],
  ] as const) {
    const responses = [
      await by.call('organization', 'get'),
      await update(by, { name: 'x' }),
      await by.call('organization', 'signingSecret'),
      await rotate(by),
    ];
    for (const response of responses) {
      t.is(response.status, status);
      t.false(JSON.stringify(response.body).includes(org.signingSecret));
    }
  }
  const stranger = await (await newOrganization(app)).session();
  t.not((await readSecret(stranger)).secret, org.signingSecret);
  t.is((await must(owner.call('organization', 'get'))).name, 'By admin');
});

test('deliveries verify with both secrets during a rotation and only with the new one afterwards', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  await using receiver = await startReceiver();
  const body = { name: 'Hook', url: receiver.url, enabledEvents: ['run.started' as const] };
  const { id } = await must(org.api.call('webhooks', 'create', { body }));
  const deliver = async () => {
    const count = receiver.received.length + 1;
    await must(org.api.call('webhooks', 'test', { params: { id } }));
    return (await receiver.wait(count))[count - 1] ?? t.fail();
  };
  const takes = async (secret: string, { body, headers }: Awaited<ReturnType<typeof deliver>>) =>
    verify(body, headers, { secret }).then(
      () => true,
      () => false,
    );

  t.deepEqual(await readSecret(owner), { secret: org.signingSecret, previousSecret: null, previousExpiresAt: null });
  t.is((await deliver()).headers['x-flow-signature-previous'], undefined);
  const { result, isDuring } = await during(() => rotate(owner));
  const { secret, previousSecret, previousExpiresAt } = result.body;
  t.regex(secret, /^[\w-]{43}$/);
  t.not(secret, org.signingSecret);
  t.is(previousSecret, org.signingSecret);
  t.true(isDuring(previousExpiresAt, 86_400_000));
  t.deepEqual(await readSecret(owner), { secret, previousSecret, previousExpiresAt });

  const overlapping = await deliver();
  t.deepEqual([await takes(secret, overlapping), await takes(org.signingSecret, overlapping)], [true, true]);
  t.false(await takes('another', overlapping));
  await app.provision.query('update organizations set previous_signing_secret_expires_at = now() where id = $1', [
    org.organizationId,
  ]);
  const after = await deliver();
  t.is(after.headers['x-flow-signature-previous'], undefined);
  t.deepEqual([await takes(secret, after), await takes(org.signingSecret, after)], [true, false]);
  t.deepEqual(await readSecret(owner), { secret, previousSecret: null, previousExpiresAt: null });
});

test('a rotation is rejected during an overlap, unless it invalidates all earlier secrets', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const { result, isDuring } = await during(() => rotate(owner, 168));
  const first = result.body;
  t.true(isDuring(first.previousExpiresAt, 168 * 3_600_000));
  const message = `The previous secret is valid until ${first.previousExpiresAt}; wait until then, or send overlapHours 0 to invalidate all earlier secrets now.`;
  await isRejected(t, rotate(owner), 400, message);
  await isRejected(t, rotate(owner, 1), 400, message);
  t.deepEqual(await readSecret(owner), first);

  const second = (await rotate(owner, 0)).body;
  t.like(second, { previousSecret: null, previousExpiresAt: null });
  t.false([first.secret, org.signingSecret].includes(second.secret));
  for (const hours of [-1, 169]) {
    await isRejected(t, rotate(owner, hours), 400, ['overlapHours: must be a whole number from 0 to 168']);
  }
  await isRejected(t, rotate(owner, 1.5), 400, ['overlapHours: must be a whole number from 0 to 168']);
  const responses = await Promise.all([rotate(owner), rotate(owner), rotate(owner)]);
  t.is(responses.filter(({ status }) => status === 200).length, 1);
  t.is(responses.filter(({ status }) => status === 400).length, 2);
  t.is((await readSecret(owner)).previousSecret, second.secret);
});

test('a due date that is set during a time zone change ends with the day in the new zone', async (t) => {
  const org = await newOrganization(app);
  const { run, set } = await runWithTasks(org, 1);
  await duringMoveToKolkata(org, () => set(0, '2030-06-15T12:00:00Z', false));
  t.deepEqual(await deadlines(run.id), ['2030-06-15T18:29:59.999Z']);
});

test('a task that a migration adds during a time zone change is due at the end of the day in the new zone', async (t) => {
  const org = await newOrganization(app);
  const { run } = await runWithTasks(org, 1);
  const params = { id: run.templateId };
  const tasks = [{ title: 'Added', due: { from: 'LAUNCH' as const, offset: 'P30D', hasTime: false } }];
  await must(org.api.call('templates.draft', 'replace', { params, body: { phases: [], tasks, variables: [] } }));
  await must(org.api.call('templates', 'publish', { params }));
  await duringMoveToKolkata(org, () => must(org.api.call('runs', 'migrateToLatest', { params: { id: run.id } })));
  const { dueAt } = (await getRun(org.api, run.id)).byTitle('Added');
  t.deepEqual(await deadlines(run.id), [calendarOf('Asia/Kolkata').endOfDay(dueAt ?? '')]);
});

test('a new time zone moves date-only deadlines to the end of the day there, also on daylight-saving changes', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const dates = ['2030-03-31T00:30:00Z', '2030-10-27T00:30:00Z', '2030-06-15T23:30:00Z', '2030-04-25T21:59:00Z'];
  const { run, set } = await runWithTasks(org, dates.length + 2);
  for (const [index, dueAt] of dates.entries()) await set(index, dueAt, false);
  await set(dates.length, '2030-01-15T12:00:00Z', true);
  const timed = '2030-01-15T12:00:00.000Z';
  t.is((await deadlines(run.id))[dates.length], timed);

  const expected: Record<string, string[]> = {
    'Europe/Berlin': [
      '2030-03-31T21:59:59.999Z',
      '2030-10-27T22:59:59.999Z',
      '2030-06-16T21:59:59.999Z',
      '2030-04-25T21:59:59.999Z',
    ],
    // In Cairo the daylight-saving change skips the midnight after 25 April 2030.
    'Africa/Cairo': [
      '2030-03-31T21:59:59.999Z',
      '2030-10-27T20:59:59.999Z',
      '2030-06-16T20:59:59.999Z',
      '2030-04-25T21:59:59.999Z',
    ],
    'Pacific/Kiritimati': [
      '2030-03-31T09:59:59.999Z',
      '2030-10-27T09:59:59.999Z',
      '2030-06-16T09:59:59.999Z',
      '2030-04-26T09:59:59.999Z',
    ],
    'America/New_York': [
      '2030-03-31T03:59:59.999Z',
      '2030-10-27T03:59:59.999Z',
      '2030-06-16T03:59:59.999Z',
      '2030-04-26T03:59:59.999Z',
    ],
    UTC: [
      '2030-03-31T23:59:59.999Z',
      '2030-10-27T23:59:59.999Z',
      '2030-06-15T23:59:59.999Z',
      '2030-04-25T23:59:59.999Z',
    ],
  };
  for (const [timezone, moments] of Object.entries(expected)) {
    t.is((await update(owner, { timezone })).status, 200);
    t.deepEqual(await deadlines(run.id), [...moments, timed, null], timezone);
    const [row] = await app.provision.query<{ at: string }>('select next_deadline_at as at from runs where id = $1', [
      run.id,
    ]);
    t.is(instantOf(row?.at), '2030-01-14T12:00:00.000Z', 'the reminder, a day before');
    t.deepEqual(
      moments,
      dates.map((at) => calendarOf(timezone).endOfDay(new Date(at).toISOString())),
    );
  }
  t.deepEqual(
    (await getRun(org.api, run.id)).tasks.slice(0, 2).map(({ dueAt }) => dueAt),
    ['2030-03-31T00:30:00.000Z', '2030-10-27T00:30:00.000Z'],
  );
});

test('the activity records moved deadlines, and folding it gives the run', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const { run, set } = await runWithTasks(org, 3);
  await set(0, '2030-06-15T23:30:00Z', false);
  await set(1, '2030-06-15T12:00:00Z', false);
  await neglect(app, run.id, 60);
  const { total } = await must(org.api.call('runs', 'activity', { params: { id: run.id } }));

  await update(owner, { timezone: 'Europe/Berlin', name: 'x' });
  const { data, ...page } = await must(org.api.call('runs', 'activity', { params: { id: run.id } }));
  t.is(page.total, total + 2);
  for (const fact of data.slice(0, 2)) {
    t.like(fact, { type: 'task.deadline_moved', actor: { type: 'USER', userId: org.ownerUserId, apiKeyId: null } });
  }
  await isFolded(t, app, org.organizationId, run.id);
  // A moved deadline is not work on the run, so the run stays stalled.
  const stalled = await must(org.api.call('runs', 'list', { query: { stalledForDays: 30 } }));
  t.deepEqual(
    stalled.data.map(({ id }) => id),
    [run.id],
  );

  await update(owner, { timezone: 'Europe/Berlin' });
  await update(owner, { timezone: 'Europe/Paris' });
  t.is((await must(org.api.call('runs', 'activity', { params: { id: run.id } }))).total, total + 2);
});

test('completed tasks and terminal runs keep their deadlines', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const [done, over] = [await runWithTasks(org, 2), await runWithTasks(org, 1)];
  for (const { set } of [done, over]) await set(0, '2030-06-15T23:30:00Z', false);
  const params = { taskId: done.run.tasks[0]?.runTaskId ?? '' };
  await must(org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));
  await must(org.api.call('runs', 'cancel', { params: { id: over.run.id } }));
  await update(owner, { timezone: 'Asia/Tokyo' });
  for (const { run } of [done, over]) t.is((await deadlines(run.id))[0], '2030-06-15T23:59:59.999Z');
});

test('a launch and a change of the time zone wait for each other', async (t) => {
  const org = await newOrganization(app);
  const due = { from: 'LAUNCH' as const, offset: 'P30D', hasTime: false };
  const { templateId } = await publishProcess(org.api, [{ title: 'Task', due }]);
  const run = await duringMoveToKolkata(org, () => launchRun(org.api, templateId));
  const { dueAt } = run.byTitle('Task');
  t.deepEqual(await deadlines(run.id), [calendarOf('Asia/Kolkata').endOfDay(dueAt ?? '')]);
});

test('a launch without date-only deadlines does not wait for changes of the organization', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [
    { title: 'Task', due: { from: 'LAUNCH', offset: 'P30D', hasTime: true } },
  ]);
  const client = await connectTo(t, app.databaseUrl);
  await client.query('begin');
  await client.query('select from organizations where id = $1 for no key update', [org.organizationId]);
  const run = await launchRun(org.api, templateId);
  t.deepEqual(await deadlines(run.id), [run.byTitle('Task').dueAt]);
});

/** A run with `count` tasks, and a function that sets the due date of one. */
async function runWithTasks(org: TestOrganization, count: number) {
  const titles = Array.from({ length: count }, (_, index) => ({ title: `Task ${index}` }));
  const { templateId } = await publishProcess(org.api, titles);
  const run = await launchRun(org.api, templateId);
  const set = (index: number, dueAt: string, dueAtHasTime: boolean) =>
    must(
      org.api.call('runs.tasks', 'setDueDate', {
        params: { taskId: run.tasks[index]?.runTaskId ?? '' },
        body: { dueAt, dueAtHasTime },
      }),
    );
  return { run, set };
}

/** Makes a call that waits while another transaction moves the organization to Asia/Kolkata. */
function duringMoveToKolkata<Result>(org: TestOrganization, call: () => Promise<Result>): Promise<Result> {
  const move = `update organizations set time_zone = 'Asia/Kolkata' where id = $1`;
  return whileOther(app, (client) => client.query(move, [org.organizationId]), call);
}

/** The deadlines of the tasks that a run has, by position. */
async function deadlines(runId: string): Promise<(string | null)[]> {
  const rows = await app.provision.query<{ at: string | null }>(
    'select deadline_at as at from run_tasks where run_id = $1 and removed_at is null order by position',
    [runId],
  );
  return rows.map(({ at }) => instantOf(at));
}

const instantOf = (at: string | null | undefined) => (at ? new Date(at).toISOString() : null);
