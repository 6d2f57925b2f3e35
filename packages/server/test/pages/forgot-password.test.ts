import { signIn } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { secrets } from '@runward/testing/checks/secrets';
import { useSmtp } from '@runward/testing/mail/use-smtp';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { inMemory } from '../../src/limits/rate-limit.ts';
import { createResetThrottle } from '../../src/limits/reset-throttle.ts';
import { PasswordLink } from '../../src/organization/entities/password-link.ts';
import { withoutSecrets } from '../../src/telemetry/log.ts';
import { changeLink, inviteMember, newStranger, tokenOf } from '../support/password-links.ts';

/** Replies of the mail server that a test holds back, by address. */
const held = new Map<string, Promise<number>>();
const { smtp, mailsTo } = await useSmtp(test, { reply: (_, to) => held.get(to) ?? 250 }, '');
const app = useApp(test, { smtp });
const path = '/sign-in/forgot-password';

const linkOf = (userId: string) => app.database.em.fork().findOne(PasswordLink, { userId });

async function ask(email: string, client = newClient(app)) {
  const form = fieldsOf((await client.get(path)).html);
  return client.submit(path, { ...form, email });
}

test('a member who forgot the password gets a link by mail, and the sign-in page leads there', async (t) => {
  const org = await newOrganization(app);
  const { id, email } = await addMember(app.baseUrl, await org.session());
  t.true((await newClient(app).get('/sign-in')).html.includes(`href="${path}"`));
  t.is((await ask(email.toUpperCase())).status, 200);
  const [mail] = await until(() => mailsTo(email).length > 0 && mailsTo(email), 'the mail');
  const [url = ''] = mail?.text.match(/http\S+\/sign-in\/password\/\S+/) ?? [];
  const token = tokenOf(url);
  await until(async () => (await linkOf(id)) !== null, 'the link');
  t.is((await linkOf(id))?.purpose, 'RESET');
  t.is((await newStranger(app).redeem(token, 'remembered now')).status, 200);
  await signIn(app.baseUrl, email, 'remembered now');
});

test('the response is the same for a member, a deactivated one, one just mailed and nobody, and waits for no mail', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const [active, gone] = [await addMember(app.baseUrl, owner), await addMember(app.baseUrl, owner)];
  await must(owner.call('users', 'delete', { params: { id: gone.id } }));
  const nobody = `nobody.${org.organizationId}@example.com`;
  const constant = ({ status, html, headers }: Awaited<ReturnType<typeof ask>>, email: string) => {
    const varying = new Set(['date', 'x-request-id', 'content-length', 'x-ratelimit-reset']);
    return {
      status,
      html: html.replaceAll(email, '*'),
      headers: [...headers].filter(([name]) => !varying.has(name)),
    };
  };
  const first = await ask(nobody);
  t.is(first.status, 200);
  const reply = Promise.withResolvers<number>();
  held.set(active.email, reply.promise);
  for (const email of [active.email, active.email, gone.email]) {
    const page = await ask(email);
    t.deepEqual(constant(page, email), constant(first, nobody), email);
  }
  await until(() => mailsTo(active.email).length > 0, 'the mail');
  reply.resolve(250);
  t.deepEqual([mailsTo(gone.email), mailsTo(nobody)], [[], []]);
});

test('nobody is flooded with mails: one in ten minutes, although the throttle would allow more', async (t) => {
  const org = await newOrganization(app);
  const { id, email } = await addMember(app.baseUrl, await org.session());
  const { requestReset } = await import('../../src/organization/password-links/request-reset.ts');
  const { inTransaction } = await import('../../src/database/transaction.ts');
  const request = () =>
    requestReset(
      {
        em: app.database.em.fork(),
        inTransaction: (work) => inTransaction(app.database, work),
        now: new Date(),
        browser: { address: '' } as never,
        ports: { smtp, baseUrl: app.baseUrl } as never,
      },
      email,
    );
  await request();
  await request();
  t.is(mailsTo(email).length, 1);
  await changeLink(app, id, { createdAt: new Date(Date.now() - 601_000) });
  await request();
  t.is(mailsTo(email).length, 2);
});

test('requests are throttled by network with a 429, and silently by email address', async (t) => {
  const throttle = createResetThrottle(inMemory);
  t.deepEqual([await throttle.admit('10.0.0.1', 'a@b.c'), await throttle.admit('10.0.0.2', 'a@b.c')], [true, false]);
  const client = newClient(app);
  for (let count = 0; count < 10; count += 1) t.is((await ask(`nobody.${count}@example.com`, client)).status, 200);
  const rejected = await ask('nobody@example.com', client);
  t.is(rejected.status, 429);
  t.regex(rejected.html, /Too many requests for a new password; retry in \d+ s/);
});

test('a text that is no address, and a form of another site, ask for nothing', async (t) => {
  const client = newClient(app);
  const odd = await ask('"><script>', client);
  t.is(odd.status, 400);
  t.regex(odd.html, /Enter your email address[^]*value="&quot;&gt;&lt;script&gt;"/);
  t.is((await client.submit(path, { email: 'ada@example.com' })).status, 403);
});

test('the log has the path of a link without its token', async (t) => {
  const invited = await inviteMember(await newOrganization(app));
  for (const before of ['/sign-in/password', '/sign-in//password', '/x']) {
    for (const after of ['', '/more']) await newClient(app).get(`${before}/${invited.token}${after}`);
  }
  t.is(withoutSecrets('/sign-in/password/anything?x=1'), '/sign-in/password/[redacted]?x=1');
  const logged = secrets.kept('log').filter((line) => line.includes('/sign-in/password/[redacted]'));
  t.true(logged.length > 0);
  t.deepEqual(
    secrets.kept('log').filter((line) => line.includes(invited.token)),
    [],
  );
});
