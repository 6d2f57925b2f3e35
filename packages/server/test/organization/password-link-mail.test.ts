import { signIn } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { useSmtp } from '@runward/testing/mail/use-smtp';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import test from 'ava';
import { writeLinkMail } from '../../src/access/links/link-mail.ts';
import { passwordMail } from '../../src/organization/password-links/link-mail.ts';
import { inviteMember, newLinkFor, newStranger } from '../support/password-links.ts';

const { smtp, mailsTo } = await useSmtp(test, { reply: (_, to) => (to.startsWith('full') ? 552 : 250) });
const app = useApp(test, { smtp });

test('a link is mailed to the member, and nothing of it is in the list of mails', async (t) => {
  const org = await newOrganization(app);
  const { id, email, link, token, owner } = await inviteMember(org);
  t.like(link, { purpose: 'INVITATION', mailed: true, mailError: null });
  const [mail, ...others] = mailsTo(email);
  t.deepEqual(others, []);
  t.regex(mail?.headers.get('subject') ?? '', /^Your invitation to Runward at /);
  t.is(mail?.headers.get('list-unsubscribe'), undefined);
  t.true(mail?.text.includes(link.url), mail?.text);
  t.true(mail?.html.includes(`href="${link.url}"`), mail?.html);
  t.regex(mail?.html ?? '', /Ada &lt;b&gt;/);
  t.is((await must(owner.call('mails', 'list'))).total, 0);
  t.is((await newStranger(app).redeem(token)).status, 200);

  const { link: reset } = await newLinkFor(org, id);
  t.is(mailsTo(email)[1]?.headers.get('subject'), 'Reset your password for Runward');
  t.true(mailsTo(email)[1]?.text.includes(reset.url));
});

test('a mail that the server does not accept is stated with its reply, and the link works', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const email = `full.${org.organizationId}@example.com`;
  const { id } = await must(owner.call('users', 'create', { body: { email, name: 'Ada' } }));
  const { link, token } = await newLinkFor(org, id);
  t.false(link.mailed);
  t.regex(link.mailError ?? '', /552/);
  t.is((await newStranger(app).redeem(token, 'long enough')).status, 200);
  await signIn(app.baseUrl, email, 'long enough');
});

test('names in the mail are one line each', (t) => {
  const { text, subject } = writeLinkMail(
    passwordMail({
      to: 'ada@example.com',
      name: 'Ada\u202e\u2028Evil',
      organizationName: 'Acme\nhttps://evil.example',
      url: 'https://runward.example.com/x',
      purpose: 'INVITATION',
    }),
  );
  t.is(subject, 'Your invitation to Runward at Acme https://evil.example');
  t.regex(text, /^Hello Ada Evil,\n\nYou are invited to work with Runward at Acme https:\/\/evil\.example\./);
});
