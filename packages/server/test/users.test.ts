import test from 'ava';
import { useApp } from './support/app.ts';
import { newOrganization } from './support/organization.ts';
import { must } from './support/process.ts';

const app = useApp(test);

test('members are listed by name, page by page, without their secrets', async (t) => {
  const org = await newOrganization(app);
  await newOrganization(app);
  const cy = await org.member('Cy');
  const ada = await org.member('Ada');
  const twin = await org.member('Ada');

  const first = await must(org.api.call('users', 'list', { query: { limit: 3 } }));
  const rest = await must(org.api.call('users', 'list', { query: { limit: 3, cursor: first.nextCursor ?? '' } }));

  t.is(first.total, 4);
  t.deepEqual(
    [...first.data, ...rest.data].map(({ id }) => id),
    [...[ada.id, twin.id].sort(), cy.id, org.ownerUserId],
  );
  t.deepEqual(Object.keys(first.data[0] ?? {}).sort(), ['createdAt', 'email', 'id', 'name', 'role', 'status']);
  t.like(rest.data[0], { role: 'OWNER', status: 'ACTIVE' });
});
