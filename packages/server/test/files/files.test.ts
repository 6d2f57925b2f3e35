import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { newImage } from '../support/world/files.ts';

const app = useSharedApp(test);

async function newToken(): Promise<string> {
  const { api } = await newOrganization(app);
  const { templateId: id } = await publishProcess(api);
  const upload = api.call('templates', 'setBackgroundImage', { params: { id }, body: { file: newImage() } });
  return (await must(upload)).backgroundImage?.url.split('/').at(-1) ?? '';
}

const transfer = (token: string, headers: Record<string, string> = {}) =>
  fetch(`${app.baseUrl}/files/transfer/${token}`, { headers });

test('a token is case-sensitive and needs no key', async (t) => {
  const token = await newToken();
  t.is((await transfer(token)).status, 200);
  const other = token.replace(/[a-z]/, (letter) => letter.toUpperCase());
  t.not(other, token);
  t.is((await transfer(other)).status, 404);
  t.is((await transfer(token.toLowerCase())).status, 404);
});

test('a key that is not valid does not matter, since the endpoint is public', async (t) => {
  t.is((await transfer(await newToken(), { authorization: 'Bearer sk_live_wrong' })).status, 200);
});

test('what is not a token is a 400 that names it, and a forged one a 404', async (t) => {
  for (const bad of ['x', '../../etc/passwd', '%2e%2e%2f.x', 'a.b.c', `${'a'.repeat(2_048)}.b`]) {
    const response = await transfer(encodeURIComponent(bad));
    t.is(response.status, 400, bad);
    const { message } = (await response.json()) as { message: string[] };
    t.regex(message[0] ?? '', /^token: /);
  }
  const payload = Buffer.from(JSON.stringify([Date.now() + 60_000, { key: '.signing-key' }])).toString('base64url');
  t.is((await transfer(`${payload}.${'A'.repeat(43)}`)).status, 404);
  t.is((await transfer('e30.AAAA')).status, 404);
});
