import { effectOf, statusOf } from '@runward/contract';
import { secrets } from '@runward/testing/checks/secrets';
import { newOrganization } from '@runward/testing/organization';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { callOf, examplesOf, prepare, send } from '../support/sweep/calls.ts';
import { allEndpoints, isSessionOnly, type NamedEndpoint } from '../support/sweep/endpoints.ts';
import { callerOf, newWorld } from '../support/world/world.ts';

const app = useSharedApp(test);

/** Endpoints that a key may call, too, and that administer the organization. */
const administersByKey =
  /^(?:(?:webhooks|folders|portals|portals\.accessRules|templates\.shares|sharedTemplates)\.\w+|portals\.pages\.publishChanges|runs\.tasks\.(?:create|revoke)FormLink)$/;

/** Endpoints that administer only if the template was shared. */
const endsShares = new Set(['templates.archive', 'templates.delete']);

/** Endpoints of these that leave no line, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'users.unlink': 'Nobody of this sweep has an account of a provider; identities.test.ts looks for the line.',
  'webhooks.test': 'It sends an event that did not happen, and changes nothing.',
  'sharedTemplates.import': 'It makes a template, like templates.create. The share that it uses counts it.',
};

const administers = ({ name, endpoint }: NamedEndpoint) =>
  effectOf(endpoint) === 'write' &&
  (isSessionOnly(endpoint) ||
    administersByKey.test(name) ||
    /^auth\.(?:login|redeemPasswordLink|signInWithPasskey)$/.test(name));

test('every administrative endpoint leaves a line, no line has a secret, and others leave none', async (t) => {
  await using receiver = await startReceiver();
  const org = await newOrganization(app);
  const world = await newWorld(app, org, receiver.url);
  const text = async () =>
    app.provision.query<{ sequence: number; text: string }>(
      'select sequence, line::text as text from audit_lines as line where organization_id = $1 order by sequence',
      [org.organizationId],
    );
  // A portal that is published has nothing to publish, and signing out ends the session of the other calls.
  const last = ['portals.publish', 'auth.logout'];
  const writes = allEndpoints.filter(({ endpoint }) => effectOf(endpoint) === 'write');
  let administrative = 0;
  const ordered = writes.toSorted((a, b) => last.indexOf(a.name) - last.indexOf(b.name));
  for (const each of ordered) {
    const { name, endpoint } = each;
    const lines: number[] = [];
    for (const example of examplesOf(each)) {
      const call = callOf(each, example, await prepare(example, world), world);
      const count = (await text()).length;
      const { status } = await send(callerOf(world, endpoint), each, call);
      t.is(status, statusOf(endpoint), name);
      lines.push((await text()).length - count);
    }
    const most = Math.max(...lines);
    if (administers(each) && !Object.hasOwn(exceptions, name)) {
      administrative += 1;
      t.true(most > 0, `${name} administers the organization: let it call recordChange, or name a reason here`);
    } else if (Object.hasOwn(exceptions, name)) t.is(most, 0, `${name} leaves lines: it is no exception`);
    else if (!endsShares.has(name)) t.is(most, 0, `${name} does not administer, and leaves lines`);
  }
  t.true(administrative > 35, `${administrative} endpoints`);

  const all = (await text()).map((line) => line.text).join('\n');
  t.true(secrets.values.size > 10);
  const found = [...secrets.values].filter((secret) => all.includes(secret)).length;
  t.is(found, 0, 'secrets appear in the audit log');
});
