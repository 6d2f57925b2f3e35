import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import test from 'ava';
import { administration, recordChange, type Change } from '../../src/audit-log/record-change.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { linesOf } from '../support/audit.ts';

const app = useApp(test);
const changeOf = (id: string): Change => ({
  action: 'organization.updated',
  target: { type: 'ORGANIZATION', id, label: 'Test' },
  before: { name: 'A', plan: 'PRO', list: [1], left: undefined },
  after: { name: 'B', plan: 'PRO', list: [1], added: { deep: null } },
});

test('a line has only the properties that differ', async (t) => {
  const { organizationId, ...org } = await newOrganization(app);
  await inTransaction(app.database, (em) => recordChange(administration(em, organizationId), changeOf(organizationId)));
  const [, line] = await linesOf(await org.session());
  t.deepEqual([line?.before, line?.after], [{ name: 'A' }, { name: 'B', added: { deep: null } }]);
});

test('a change that is rolled back leaves no line, and its sequence is used by the next', async (t) => {
  const { organizationId, ...org } = await newOrganization(app);
  const failing = inTransaction(app.database, async (em) => {
    await recordChange(administration(em, organizationId), changeOf(organizationId));
    throw new Error('rolled back');
  });
  await t.throwsAsync(failing, { message: 'rolled back' });
  const lines = await linesOf(await org.session());
  t.deepEqual(
    lines.map(({ sequence, action }) => [sequence, action]),
    [
      [4, 'session.started'],
      [3, 'api_key.created'],
      [2, 'user.created'],
      [1, 'organization.created'],
    ],
  );
});

test('a change waits for the one before it, and follows it', async (t) => {
  const { organizationId, ...org } = await newOrganization(app);
  const session = await org.session();
  let second: Promise<void> | undefined;
  await inTransaction(app.database, async (em) => {
    await recordChange(administration(em, organizationId), changeOf(organizationId));
    second = inTransaction(app.database, (other) =>
      recordChange(administration(other, organizationId), {
        ...changeOf(organizationId),
        action: 'organization.created',
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
  });
  await second;
  const [newest, previous] = await linesOf(session);
  t.deepEqual([newest?.action, newest?.sequence, previous?.sequence], ['organization.created', 6, 5]);
  t.is(newest?.previousHash, previous?.hash);
});
