import { randomUUID } from 'node:crypto';
import type { Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { useSmtp } from '@runward/testing/mail/use-smtp';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { purgeStoredResponses } from '../../src/limits/queries/stored-responses.ts';
import { newEmail, newFormTask } from '../support/form-links.ts';

/** The mail server replies to the mails for an address when this is resolved. */
const replies = new Map<string, PromiseWithResolvers<number>>();
const { smtp, mailsTo } = await useSmtp(test, { reply: (_, to) => replies.get(to)?.promise ?? 250 });
const app = useApp(test, { smtp });

function newSlowEmail(): string {
  const email = newEmail();
  replies.set(email, Promise.withResolvers());
  return email;
}

interface Link {
  readonly url: string;
  readonly mailed: boolean;
  readonly mailError: string | null;
}

/** Makes a link under an idempotency key, and makes another administrative change while its mail is being sent. */
async function makeLink(t: ExecutionContext, { api, owner, email, ...request }: LinkRequest): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() };
  const send = async () => {
    const { status, headers: sent, body } = await api.raw('POST', request.path, { body: request.body, headers });
    return { status, isReplayed: sent.get('idempotency-replayed') === 'true', link: body as Link };
  };
  let isAnswered = false;
  const first = send().finally(() => {
    isAnswered = true;
  });
  await until(() => mailsTo(email).length === 1, 'the mail');
  await must(owner.call('groups', 'create', { body: { name: 'Meanwhile' } }));
  t.false(isAnswered, 'the group was created while the mail was being sent');

  const early = await send();
  t.like(early, { status: 201, isReplayed: true, link: { mailed: false } });
  t.regex(early.link.mailError ?? '', /^It is not known yet whether the mail was accepted; hand the link over/);

  replies.get(email)?.resolve(250);
  const { link, ...answer } = await first;
  t.deepEqual(answer, { status: 201, isReplayed: false });
  t.like(link, { url: early.link.url, mailed: true, mailError: null });
  t.deepEqual(await send(), { status: 201, isReplayed: true, link });
  t.is(mailsTo(email).length, 1);
  t.true(mailsTo(email)[0]?.text.includes(link.url));
}

interface LinkRequest {
  readonly api: Api;
  readonly owner: Api;
  readonly email: string;
  readonly path: string;
  readonly body?: unknown;
}

test('while a form link is mailed nothing is locked, and the response under the key is completed afterwards', async (t) => {
  const { org, taskId } = await newFormTask(app);
  const email = newSlowEmail();
  const owner = await org.session();
  await makeLink(t, { api: org.api, owner, email, path: `/runs/tasks/${taskId}/form-links`, body: { email } });
});

test('while a password link is mailed nothing is locked, and the response under the key is completed afterwards', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const email = newSlowEmail();
  const { id } = await must(owner.call('users', 'create', { body: { email, name: 'Ada' } }));
  await makeLink(t, { api: owner, owner, email, path: `/users/${id}/password-link` });
});

test('the job purges the responses that are older than 24 hours, and no others', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const send = (key: string) =>
    api.raw('POST', '/templates', { body: { name: 'x' }, headers: { 'idempotency-key': key } });
  for (const key of ['old', 'other']) await send(key);
  const age = `update idempotency_keys set created_at = now() - interval '25 hours' where organization_id = $1`;
  await app.provision.query(age, [organizationId]);
  await send('new');
  await purgeStoredResponses(app.database.em.fork(), new AbortController().signal, 1);
  t.is(
    (await app.provision.query('select from idempotency_keys where organization_id = $1', [organizationId])).length,
    1,
  );
});
