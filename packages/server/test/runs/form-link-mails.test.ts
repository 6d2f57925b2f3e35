import { createHash } from 'node:crypto';
import { useApp } from '@runward/testing/app';
import { useSmtp } from '@runward/testing/mail/use-smtp';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import test from 'ava';
import { writeLinkMail } from '../../src/access/links/link-mail.ts';
import { FormLink } from '../../src/runs/entities/form-link.ts';
import { formMail } from '../../src/runs/form-links/link-mail.ts';
import { apiOf, createLink, formOf, newEmail, newFormTask, openLink } from '../support/form-links.ts';

const { smtp, mailsTo } = await useSmtp(test, { reply: (_, to) => (to.startsWith('full') ? 552 : 250) });
const app = useApp(test, { smtp });

/** The codes that were mailed to an address, oldest first. */
function codesTo(email: string): string[] {
  const texts = mailsTo(email).map(({ text }) => text);
  return texts.flatMap((text) => /^\d{6}$/m.exec(text)?.[0] ?? []);
}

/** Another code than the newest one. */
const otherThan = (code: string) => `${(Number(code[0]) + 1) % 10}${code.slice(1)}`;

/** A link that requires a code, in a new browser. */
async function newCodeLink(email = newEmail()) {
  const { org, taskId } = await newFormTask(app);
  const { url, id } = await must(createLink(org.api, taskId, { email, requireCode: true }));
  const client = newClient(app);
  const { pathname: path } = new URL(url);
  await client.get(path);
  const submit = async (fields: Record<string, string>) =>
    client.submit(path, { ...fieldsOf((await client.get(path)).html), ...fields });
  return {
    org,
    taskId,
    email,
    client,
    path,
    id,
    change: (changes: Partial<FormLink>) => app.database.em.fork().nativeUpdate(FormLink, { id }, changes),
    send: () => submit({ action: 'send' }),
    enter: (code: string) => submit({ code }),
    /** Has a code sent and returns it. */
    newCode: async () => {
      await submit({ action: 'send' });
      return codesTo(email).at(-1) ?? '';
    },
  };
}

const useless = /The code is wrong or does not work any more/;

test('a form link is mailed to its address, and opens the form', async (t) => {
  const { org, taskId } = await newFormTask(app);
  const email = newEmail();
  const { url, ...link } = await must(createLink(org.api, taskId, { email }));
  t.like(link, { mailed: true, mailError: null, requireCode: false });
  const [mail, ...others] = mailsTo(email);
  t.deepEqual(others, []);
  t.regex(mail?.headers.get('subject') ?? '', / asks you to fill in: Bank details$/);
  t.is(mail?.headers.get('list-unsubscribe'), undefined);
  t.true(mail?.text.includes(url), mail?.text);
  t.true(mail?.html.includes(`href="${url}"`), mail?.html);
  t.regex(mail?.text ?? '', /Whoever has it can fill in the form/);
  t.is((await must((await org.session()).call('mails', 'list'))).total, 0, 'nothing of it is in the list of mails');
  const { api } = await openLink(app, /^http.*\/formlink_\w+$/m.exec(mail?.text ?? '')?.[0] ?? '');
  t.is((await formOf(api, taskId)).status, 200);
});

test('a mail with a form link that the server does not accept is stated with its reply, and the link works', async (t) => {
  const { org, taskId } = await newFormTask(app);
  const { url, ...link } = await must(createLink(org.api, taskId, { email: `full.${newEmail()}` }));
  t.false(link.mailed);
  t.regex(link.mailError ?? '', /552/);
  const { api } = await openLink(app, url);
  t.is((await formOf(api, taskId)).status, 200);
});

test('the mail with a form link states when it expires, and its names are one line each, and escaped', (t) => {
  const { text, subject, html } = writeLinkMail(
    formMail({
      to: 'ada@example.com',
      organizationName: 'Acme\nhttps://evil.example',
      title: 'Pay <b>\u2028now',
      url: 'https://runward.example.com/x',
      timeZone: 'America/New_York',
      expiresAt: new Date('2026-03-09T02:30:00Z'),
      requireCode: true,
    }),
  );
  t.is(subject, 'Acme https://evil.example asks you to fill in: Pay <b> now');
  t.regex(text, /until 8 Mar 2026, 22:30 \(America\/New_York\)\.\nIt asks for a code/);
  t.regex(html, /Pay &lt;b&gt; now/);
});

test('a link that requires a code opens with the code that is mailed to its address', async (t) => {
  const { org, taskId, email, client, path, send, enter } = await newCodeLink();
  const landing = await client.get(path);
  t.regex(landing.html, /Send code/);
  t.notRegex(landing.html, /name="code"|Open the form/);
  t.is(mailsTo(email).length, 1);
  t.regex(mailsTo(email)[0]?.text ?? '', /It asks for a code, which is sent to this address/);
  t.is((await enter('')).status, 400, 'the button alone opens nothing');
  t.is((await send()).headers.get('location'), path);
  t.regex((await client.get(path)).html, /name="code"[^]*Open the form[^]*Send another code/);
  const [code = '', ...others] = codesTo(email);
  t.regex(code, /^\d{6}$/);
  t.deepEqual(others, []);
  t.regex(mailsTo(email)[1]?.html ?? '', new RegExp(`<strong[^>]*>${code}</strong>`));
  t.notRegex(mailsTo(email)[1]?.text ?? '', /formlink_/, 'a code without the link is of no use');
  const opened = await enter(` ${code.slice(0, 3)} ${code.slice(3)} `);
  t.is(opened.headers.get('location'), `/console/tasks/${taskId}`);
  t.is((await formOf(apiOf(app, client), taskId)).status, 200);
  const { data } = await must(org.api.call('runs.tasks', 'formLinks', { params: { taskId } }));
  t.true(data[0]?.requireCode);
});

test('wrong, used, replaced and expired codes, and those of other links, get the same page', async (t) => {
  const { taskId, client, change, enter, newCode, path } = await newCodeLink();
  const other = await newCodeLink();
  const pages: string[] = [];
  const rejected = async (code: string) => {
    const { status, html } = await enter(code);
    t.is(status, 400);
    t.regex(html, useless);
    pages.push(html.replace(/name="csrf" value="[^"]*"/g, ''));
  };
  await rejected('123456');
  const first = await newCode();
  await rejected(otherThan(first));
  await rejected(await other.newCode().then((code) => (code === first ? otherThan(first) : code)));
  t.is((await formOf(apiOf(app, client), taskId)).status, 401);
  t.is((await enter(first)).status, 303);
  await rejected(first);
  const second = await newCode();
  const third = await newCode();
  if (second !== third) await rejected(second);
  await change({ codeExpiresAt: new Date() });
  await rejected(third);
  t.notRegex((await client.get(path)).html, /name="code"/);
  t.is(new Set(pages).size, 1);
});

test('after 5 attempts the right code is rejected, too, and so it is for two attempts at the same time', async (t) => {
  const { enter, newCode, change } = await newCodeLink();
  const code = await newCode();
  for (let count = 0; count < 5; count += 1) t.is((await enter(otherThan(code))).status, 400);
  t.is((await enter(code)).status, 400);
  const next = await newCode();
  await change({ codeAttempts: 4 });
  const both = await Promise.all([enter(next), enter(next)]);
  const statuses = both.map(({ status }) => status);
  t.true(statuses.includes(303) && statuses.includes(400), statuses.join());
});

test('somebody who guesses codes is throttled like somebody who guesses passwords', async (t) => {
  const { enter } = await newCodeLink();
  const statuses: number[] = [];
  for (let count = 0; count < 12; count += 1) statuses.push((await enter('000000')).status);
  t.deepEqual(
    statuses.slice(0, 10),
    Array.from({ length: 10 }, () => 400),
  );
  t.deepEqual(statuses.slice(10), [429, 429]);
});

test('a link gets 3 codes an hour, after which the last one still works', async (t) => {
  const { email, send, enter, change, taskId } = await newCodeLink();
  for (let count = 0; count < 3; count += 1) t.is((await send()).status, 303);
  const refused = await send();
  t.is(refused.status, 429);
  t.regex(refused.html, /3 codes were sent within an hour; use the last one/);
  const codes = codesTo(email);
  t.is(codes.length, 3);
  t.is((await enter(codes[2] ?? '')).headers.get('location'), `/console/tasks/${taskId}`);
  await change({ codesSince: new Date(Date.now() - 3_600_000) });
  t.is((await send()).status, 303);
  t.is(codesTo(email).length, 4);
});

test('a code is stored as a hash that needs the token, and a code that cannot be mailed is said to be', async (t) => {
  const { id, newCode } = await newCodeLink();
  const code = await newCode();
  const { codeHash } = await app.database.em.fork().findOneOrFail(FormLink, { id });
  t.is(codeHash?.length, 32);
  t.notDeepEqual(Buffer.from(codeHash ?? []), createHash('sha256').update(code).digest());
  const full = await newCodeLink(`full.${newEmail()}`);
  const { status, html } = await full.send();
  t.is(status, 503);
  t.regex(html, /The code could not be mailed; try again later\./);
  t.notRegex(html, /\b552\b/, 'what the mail server says is for the log');
});

test('a form from another site neither sends a code nor tries one', async (t) => {
  const { client, path, email, newCode } = await newCodeLink();
  t.is((await client.submit(path, { csrf: 'x', action: 'send' })).status, 403);
  t.deepEqual(codesTo(email), []);
  const code = await newCode();
  t.is((await client.submit(path, { csrf: 'x', code })).status, 403);
});
