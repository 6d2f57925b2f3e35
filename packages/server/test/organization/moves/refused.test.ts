import { setTimeout as pause } from 'node:timers/promises';
import { apiOf } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import test from 'ava';
import type { MoveStep } from '../../../src/organization/entities/organization-move.ts';
import { detectOverdue } from '../../../src/runs/change/detect-overdue.ts';
import { findDueRuns } from '../../../src/runs/queries/find-due-runs.ts';
import { newShare } from '../../support/templates.ts';

const app = useApp(test, { retrySchedule: [0] });

/** Records that an organization is moved, or that it is not. */
async function setStep({ organizationId }: TestOrganization, step: MoveStep | null): Promise<void> {
  await app.provision.query('delete from organization_moves where organization_id = $1', [organizationId]);
  if (step === null) return;
  await app.provision.query(
    `insert into organization_moves (organization_id, other_schema, step, step_at) values ($1, 'cell2', $2, now())`,
    [organizationId, step],
  );
}

const moved = { status: 421, error: { code: 'organization_moved', error: 'Misdirected Request' } };
const moving = { status: 503, error: { code: 'organization_moving', retryAfter: 5 } };

test('while writes are stopped, keys, sessions and sign-ins read and do not write, and others are not concerned', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const session = await org.session();
  const { templateId } = await publishProcess(org.api);
  const run = await launchRun(org.api, templateId);
  await setStep(org, 'STOPPED');
  t.is((await org.api.call('runs', 'get', { params: { id: run.id } })).status, 200);
  t.is((await session.call('auth', 'session')).status, 200);
  const refused = await org.api.call('runs', 'launch', { body: { templateId } });
  t.like(refused, moving);
  t.is(refused.headers.get('retry-after'), '5');
  t.like(await session.call('folders', 'create', { body: { name: 'Folder' } }), moving);
  const credentials = { email: org.ownerEmail, password: org.ownerPassword };
  t.like(await apiOf(app.baseUrl, null).call('auth', 'login', { body: credentials }), moving);
  t.is((await other.api.call('folders', 'create', { body: { name: 'Folder' } })).status, 201);
  await setStep(org, null);
  t.is((await org.api.call('runs', 'launch', { body: { templateId } })).status, 201);
  const { total } = await must(org.api.call('runs', 'list', {}));
  t.is(total, 2);
});

test('an organization that has moved is refused with 421: its keys, sessions, sign-ins, portals and shares', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const session = await org.session();
  const { templateId } = await publishProcess(org.api);
  const { token } = await newShare(org.api, templateId);
  const slug = `moved-${org.organizationId.slice(-12)}`;
  const portal = await must(
    org.api.call('portals', 'create', { body: { name: 'Portal', slug, audience: 'PUBLIC' as const } }),
  );
  await must(org.api.call('portals', 'publish', { params: { portalId: portal.id } }));
  const nobody = apiOf(app.baseUrl, null);
  t.is((await nobody.raw('GET', `/p/${slug}`)).status, 200);
  await setStep(org, 'MOVED');
  t.like(await org.api.call('runs', 'list', {}), moved);
  t.like(await session.call('auth', 'session'), moved);
  t.is((await session.raw('GET', '/console/tasks')).status, 421);
  const credentials = { email: org.ownerEmail, password: org.ownerPassword };
  t.like(await nobody.call('auth', 'login', { body: credentials }), moved);
  t.is((await nobody.raw('GET', `/p/${slug}`)).status, 421);
  t.like(await other.api.call('portals', 'view', { params: { slug } }), moved);
  t.like(await other.api.call('sharedTemplates', 'preview', { params: { token } }), moved);
  t.like(await other.api.call('sharedTemplates', 'import', { params: { token }, body: {} }), moved);
  await setStep(org, 'ARRIVING');
  t.like(await org.api.call('runs', 'list', {}), moving);
  t.like(await session.call('auth', 'session'), moving);
});

test('jobs leave an organization alone whose rows another cell has or gets, and go on afterwards', async (t) => {
  await using receiver = await startReceiver();
  const org = await newOrganization(app);
  const { api } = org;
  const enabledEvents = ['run.started' as const, 'task.overdue' as const];
  await must(api.call('webhooks', 'create', { body: { name: 'Hook', url: receiver.url, enabledEvents } }));
  const due = { from: 'LAUNCH' as const, offset: 'P1D' };
  const { templateId } = await publishProcess(api, [{ title: 'Due', due }]);
  await setStep(org, 'DRAINING');
  const { id } = await launchRun(api, templateId);
  await app.provision.query(
    `update runs set next_deadline_at = now() - interval '1 minute' where organization_id = $1 and id = $2`,
    [org.organizationId, id],
  );
  const work = async () => {
    await detectOverdue(app);
    await app.dispatcher.tick();
  };
  const isDue = async () => (await findDueRuns(app.database.em.fork(), undefined, 1_000)).some((run) => run.id === id);
  await work();
  await pause(100);
  t.is(receiver.received.length, 0);
  t.false(await isDue());
  await setStep(org, null);
  t.true(await isDue());
  await until(async () => {
    await work();
    return receiver.received.length > 0;
  }, 'the delivery');
});

test('a write with an idempotency key is repeated while rows are copied, and refused when writes are stopped', async (t) => {
  const org = await newOrganization(app);
  await setStep(org, 'DRAINING');
  t.is((await org.api.call('folders', 'create', { body: { name: 'One' } })).status, 201);
  const key = { 'idempotency-key': 'the-same' };
  const created = await org.api.raw('POST', '/folders', { body: { name: 'Two' }, headers: key });
  t.is(created.status, 201);
  const again = await org.api.raw('POST', '/folders', { body: { name: 'Two' }, headers: key });
  t.deepEqual(again.body, created.body);
  await setStep(org, 'STOPPED');
  t.like(await org.api.raw('POST', '/folders', { body: { name: 'Two' }, headers: key }), moving);
});
