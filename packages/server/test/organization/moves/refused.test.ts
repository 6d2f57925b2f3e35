import type { DeliveryPayload } from '@runward/contract';
import { apiOf } from '@runward/testing/api';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import type { MoveStep } from '../../../src/organization/entities/organization-move.ts';
import { newShare } from '../../support/templates.ts';

const app = useSharedApp(test);

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

test('deliveries of an organization whose rows another cell has or gets wait until that is over', async (t) => {
  await using receiver = await startReceiver();
  const hear = async () => {
    const org = await newOrganization(app);
    const body = { name: 'Hook', url: receiver.url, enabledEvents: ['run.started' as const] };
    await must(org.api.call('webhooks', 'create', { body }));
    const { templateId } = await publishProcess(org.api);
    return { org, launch: async () => (await launchRun(org.api, templateId)).id };
  };
  const [{ org, launch }, other] = [await hear(), await hear()];
  const heard = () => receiver.received.map(({ body }) => (JSON.parse(body) as DeliveryPayload).data.runId);
  await setStep(org, 'DRAINING');
  const held = await launch();
  const theirs = await other.launch();
  await receiver.wait(1);
  t.deepEqual(heard(), [theirs]);
  await setStep(org, null);
  // Its commit lets the service look again.
  const next = await launch();
  await receiver.wait(3);
  t.deepEqual(heard().toSorted(), [held, theirs, next].toSorted());
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
