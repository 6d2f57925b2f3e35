import { randomUUID } from 'node:crypto';
import { useApp } from '@runward/testing/app';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import test from 'ava';
import type { RequestContext } from '../../../src/access/request-context.ts';
import type { Em } from '../../../src/database/database.ts';
import { lockRow } from '../../../src/database/lock-row.ts';
import { inTransaction } from '../../../src/database/transaction.ts';
import { newId } from '../../../src/ids.ts';
import { Identity } from '../../../src/organization/entities/identity.ts';
import { Session } from '../../../src/organization/entities/session.ts';
import type { ProviderAccount } from '../../../src/organization/single-sign-on/find-member.ts';
import { signInWithProvider } from '../../../src/organization/single-sign-on/sign-in-with-provider.ts';
import { untilOthersWait } from '../../support/database/locks.ts';

const app = useApp(test);

test('an account that is unlinked while it signs in starts no session', async (t) => {
  const { organizationId, ...org } = await newOrganization(app);
  const { id: userId } = await addMember(app.baseUrl, await org.session());
  const issuer = 'https://login.example.com';
  const [id, subject, now] = [newId(), randomUUID(), new Date()];
  const own = app.database.em.fork();
  own.create(Identity, { organizationId, id, userId, issuer, subject, groupIds: [], createdAt: now, lastUsedAt: now });
  await own.flush();
  const context = {
    inTransaction: (work: (em: Em) => Promise<unknown>) => inTransaction(app.database, work),
    now,
    browser: { address: '127.0.0.1', token: null, keepSession: () => {} },
  } as unknown as RequestContext;
  const claims = { subject, email: null, emailVerified: false, name: null, sessionId: null, groups: null };
  const account = { settings: { issuer, name: 'Login' }, claims } as unknown as ProviderAccount;
  const { signingIn } = await inTransaction(app.database, async (em) => {
    await lockRow(em, Identity, { organizationId, id }, 'update');
    const signIn = t.throwsAsync(signInWithProvider(context, account, randomUUID()));
    await untilOthersWait((text) => em.execute(text));
    await em.nativeDelete(Identity, { organizationId, id });
    return { signingIn: signIn };
  });
  t.like(await signingIn, { status: 403, code: 'sign_in_rejected' });
  t.is(await app.database.em.fork().count(Session, { organizationId, userId, issuer }), 0);
});
