import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import test from 'ava';
import { purgeSessions } from '../../src/organization/queries/purge-sessions.ts';

const app = useApp(test);

test('the job purges all expired sessions, and no others', async (t) => {
  const org = await newOrganization(app);
  for (let n = 0; n < 3; n += 1) await org.session();
  await app.provision.query(`update sessions set expires_at = now() - interval '1 minute' where user_id = $1`, [
    org.ownerUserId,
  ]);
  const current = await org.session();
  await purgeSessions(app.database.em.fork(), new AbortController().signal, 2);
  t.is((await app.provision.query('select id from sessions where user_id = $1', [org.ownerUserId])).length, 1);
  t.is((await current.call('auth', 'session')).status, 200);
});
