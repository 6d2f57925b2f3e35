import { auditRetentionDays, plans } from '@runward/contract';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import test from 'ava';
import { purgeLines } from '../../src/audit-log/queries/purge-lines.ts';
import { verifyLines } from '../../src/audit-log/verify-lines.ts';
import { inTransaction } from '../../src/database/transaction.ts';

const app = useApp(test);
const verify = (organizationId: string) => inTransaction(app.database, (em) => verifyLines(em, organizationId));
const purge = (limit?: number) => purgeLines(app.database.em.fork(), new AbortController().signal, limit);
const query = <Row extends object>(text: string, ...parameters: unknown[]) =>
  app.provision.query<Row>(text, parameters);

/** Makes the oldest lines of an organization a day older than its plan keeps them. */
async function age(organizationId: string, days: number, lines: number): Promise<void> {
  await query(
    `update audit_lines set at = now() - make_interval(days => $2) where organization_id = $1 and sequence <= $3`,
    organizationId,
    days,
    lines,
  );
}

const sequences = async (organizationId: string) =>
  (
    await query<{ sequence: number }>(
      'select sequence from audit_lines where organization_id = $1 order by sequence',
      organizationId,
    )
  ).map(({ sequence }) => sequence);

test.serial('lines are purged when they are older than the plan keeps them, and the rest stays a chain', async (t) => {
  for (const plan of plans) {
    const org = await newOrganization(app, { plan });
    const session = await org.session();
    for (const name of ['A', 'B', 'C']) await must(session.call('groups', 'create', { body: { name } }));
    const days = auditRetentionDays[plan];
    await age(org.organizationId, days - 1, 5);
    await purge();
    t.is((await sequences(org.organizationId)).length, 7, plan);
    await age(org.organizationId, days + 1, 5);
    await purge(2);
    t.deepEqual(await sequences(org.organizationId), [6, 7], plan);
    t.like(await verify(org.organizationId), { verified: 2, purged: 5, problem: null });
    await must(session.call('groups', 'create', { body: { name: 'D' } }));
    t.like(await verify(org.organizationId), { verified: 3, purged: 5, problem: null });
  }
});

test.serial('a line that is not due keeps the ones after it', async (t) => {
  const org = await newOrganization(app, { plan: 'FREE' });
  await org.session();
  await age(org.organizationId, 31, 4);
  await query('update audit_lines set at = now() where organization_id = $1 and sequence = 2', org.organizationId);
  await purge();
  t.deepEqual(await sequences(org.organizationId), [2, 3, 4]);
});

test.serial('an audit log whose lines are all purged continues its chain', async (t) => {
  const org = await newOrganization(app, { plan: 'FREE' });
  await age(org.organizationId, 31, 3);
  await purge();
  t.like(await verify(org.organizationId), { verified: 0, purged: 3, problem: null });
  await org.session();
  t.like(await verify(org.organizationId), { verified: 1, purged: 3, problem: null });
});
