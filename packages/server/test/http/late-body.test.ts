import { once } from 'node:events';
import { request as open, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { scopes } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { hashApiKey } from '../../src/organization/api-key-token.ts';
import { picture } from '../support/files.ts';

const app = useSharedApp(test);

const json = 'application/json';
const form = 'multipart/form-data; boundary=x';
const part = 'content-disposition: form-data; name="file"; filename="a.png"';
const newTemplate = { path: '/templates', type: json, content: '{"name": "Late"}' };

/** Sends a request whose body is interrupted for `meanwhile`, after it was admitted. */
async function send(
  { path, type, content }: { path: string; type: string; content: string },
  headers: Record<string, string>,
  meanwhile: () => Promise<unknown>,
): Promise<number | undefined> {
  const body = Buffer.from(content, 'latin1');
  const outgoing = open(new URL(path, app.baseUrl), {
    method: 'POST',
    headers: { 'content-type': type, 'content-length': body.length, ...headers },
  });
  outgoing.write(body.subarray(0, 5));
  await wait(300);
  await meanwhile();
  outgoing.end(body.subarray(5));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

async function newKey() {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const plainKey = await org.plainKey({ scopes });
  const change = (assignments: string) =>
    app.provision.query(`update api_keys set ${assignments} where key_hash = decode($1, 'hex')`, [
      hashApiKey(plainKey).toString('hex'),
    ]);
  const names = async () => (await must(org.api.call('templates', 'list'))).data.map(({ name }) => name);
  return { org, templateId, headers: { authorization: `Bearer ${plainKey}` }, change, names };
}

test('a request whose key was revoked or restricted while its body arrived is rejected', async (t) => {
  const { templateId, headers, change, names } = await newKey();
  const variable = { path: `/templates/${templateId}/variables`, type: json, content: '{"key": "x", "name": "X"}' };
  const image = `--x\r\n${part}\r\n\r\n${(await picture()).toString('latin1')}\r\n--x--\r\n`;
  const upload = { path: `/templates/${templateId}/background-image`, type: form, content: image };
  const before = await names();
  for (const request of [newTemplate, variable, upload]) {
    t.is(await send(request, headers, () => change('revoked_at = now()')), 401, request.path);
    await change('revoked_at = null');
    t.is(await send(request, headers, () => change(`scopes = '{templates:read}'`)), 403, request.path);
    await change(`scopes = '{${scopes.join(',')}}'`);
    const restricted = `resource_mode = 'SELECTED_TEMPLATES', scoped_template_ids = '{${crypto.randomUUID()}}'`;
    t.is(await send(request, headers, () => change(restricted)), 403, request.path);
    await change(`resource_mode = 'ALL', scoped_template_ids = '{}'`);
  }
  t.deepEqual(await names(), before);
  t.is(await send(newTemplate, headers, async () => {}), 201);
});

test('a request whose session ended while its body arrived is rejected', async (t) => {
  const { org, names } = await newKey();
  const response = await fetch(new URL('/auth/login', app.baseUrl), {
    method: 'POST',
    headers: { 'content-type': json },
    body: JSON.stringify({ email: org.ownerEmail, password: org.ownerPassword }),
  });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const csrf = cookies.find((cookie) => cookie.startsWith('flow_csrf='))?.slice('flow_csrf='.length) ?? '';
  const headers = { cookie: cookies.join('; '), 'x-service-csrf': csrf };
  const end = () => fetch(new URL('/auth/logout', app.baseUrl), { method: 'POST', headers });
  const before = await names();
  t.is(await send(newTemplate, headers, end), 401);
  t.deepEqual(await names(), before);
});
