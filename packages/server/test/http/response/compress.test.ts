import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { atPort, openForm } from '../../support/files.ts';

const app = useSharedApp(test);

/** The bytes of a response as they were sent. `fetch` would ask for compression and decode by itself. */
async function read(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) {
  const url = path.startsWith('http') ? path : `${app.baseUrl}${path}`;
  return new Promise<{ status: number; headers: Record<string, string | undefined>; bytes: Buffer }>(
    (resolve, reject) => {
      request(url, { method, headers }, (response) => {
        const { statusCode: status = 0, headers: received } = response;
        const answer = (bytes: Buffer) => resolve({ status, headers: received as Record<string, string>, bytes });
        buffer(response).then(answer, reject);
      })
        .once('error', reject)
        .end(body);
    },
  );
}

/** An organization with some runs, and what identifies its key. */
async function withRuns() {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'Sign the contract' }]);
  const run = await launchRun(org.api, templateId);
  for (let count = 0; count < 4; count += 1) await launchRun(org.api, templateId);
  return { org, templateId, run, key: { authorization: `Bearer ${org.apiKey}` } };
}

const gzip = { 'accept-encoding': 'gzip, deflate' };
const brotli = { 'accept-encoding': 'gzip, deflate, br, zstd' };

test('a list is compressed as the client asks, and has its length', async (t) => {
  const { key } = await withRuns();
  const plain = await read('/runs', key);
  t.is(plain.headers['content-encoding'], undefined);
  t.is(plain.headers['vary'], 'Accept-Encoding');
  for (const [asked, coding, decode] of [
    [gzip, 'gzip', gunzipSync],
    [brotli, 'br', brotliDecompressSync],
    [{ 'accept-encoding': '*' }, 'br', brotliDecompressSync],
    [{ 'accept-encoding': 'br;q=0, gzip' }, 'gzip', gunzipSync],
  ] as const) {
    const { status, headers, bytes } = await read('/runs', { ...key, ...asked });
    t.is(status, 200);
    t.is(headers['content-encoding'], coding);
    t.is(headers['vary'], 'Accept-Encoding');
    t.is(headers['content-length'], String(bytes.length));
    t.is(headers['content-type'], 'application/json; charset=utf-8');
    t.true(bytes.length < plain.bytes.length / 2, `${bytes.length} of ${plain.bytes.length}`);
    t.true(decode(bytes).equals(plain.bytes));
  }
  for (const other of ['identity', '', 'deflate', 'gzip;q=0', 'zstd']) {
    const { headers, bytes } = await read('/runs', { ...key, 'accept-encoding': other });
    t.is(headers['content-encoding'], undefined, other);
    t.true(bytes.equals(plain.bytes));
  }
});

test('HEAD has the headers of GET', async (t) => {
  const { key } = await withRuns();
  const get = await read('/runs', { ...key, ...gzip });
  const head = await read('/runs', { ...key, ...gzip }, 'HEAD');
  t.is(head.bytes.length, 0);
  for (const name of ['content-encoding', 'content-length', 'content-type', 'vary'])
    t.is(head.headers[name], get.headers[name], name);
  const file = await read('/runs/export/csv', { ...key, ...gzip }, 'HEAD');
  t.deepEqual([file.headers['content-encoding'], file.headers['content-length']], ['gzip', undefined]);
});

test('a small response is not compressed', async (t) => {
  const { key } = await withRuns();
  const { headers, bytes } = await read('/runs/counts', { ...key, ...gzip });
  t.true(bytes.length < 1_024);
  t.is(headers['content-encoding'], undefined);
  t.is(headers['content-length'], String(bytes.length));
});

test('the ETag of a record is its version, compressed or not, for reads and writes', async (t) => {
  const { key, templateId } = await withRuns();
  const path = `/templates/${templateId}`;
  const plain = await read(path, key);
  const description = 'Signed by both sides. '.repeat(60);
  const changed = await read(
    path,
    { ...key, ...gzip, 'content-type': 'application/json', 'if-match': plain.headers['etag'] ?? '' },
    'PUT',
    JSON.stringify({ description }),
  );
  t.is(changed.status, 200, changed.bytes.toString());
  const compressed = await read(path, { ...key, ...gzip });
  t.is(compressed.headers['content-encoding'], 'gzip');
  const { version } = JSON.parse(gunzipSync(compressed.bytes).toString()) as { version: string };
  t.is(compressed.headers['etag'], `"${version}"`);
  t.is((await read(path, key)).headers['etag'], `"${version}"`);
  const unchanged = await read(path, { ...key, ...gzip, 'if-none-match': `"${version}"` });
  t.deepEqual([unchanged.status, unchanged.bytes.length], [304, 0]);
  t.is(unchanged.headers['content-encoding'], undefined);
});

test('an export is compressed while it is sent', async (t) => {
  const { key } = await withRuns();
  const plain = await read('/runs/export/csv', key);
  for (const [asked, coding, decode] of [
    [gzip, 'gzip', gunzipSync],
    [brotli, 'br', brotliDecompressSync],
  ] as const) {
    const { headers, bytes } = await read('/runs/export/csv', { ...key, ...asked });
    t.is(headers['content-encoding'], coding);
    t.is(headers['content-length'], undefined);
    t.regex(headers['content-disposition'] ?? '', /^attachment; filename=/);
    t.true(decode(bytes).equals(plain.bytes));
  }
});

test('a stored file is not compressed, whatever its type, so that its ranges count its bytes', async (t) => {
  const form = await openForm(app);
  const content = 'name;value\n'.repeat(500);
  const { id } = await must(form.upload('papers', content, 'table.csv'));
  const { url } = await must(form.api.call('files', 'downloadUrl', { params: { id } }));
  const whole = await read(String(atPort(app, url)), gzip);
  t.is(whole.headers['content-encoding'], undefined);
  t.is(whole.headers['content-length'], String(content.length));
  const part = await read(String(atPort(app, url)), { ...gzip, range: 'bytes=0-1999' });
  t.deepEqual([part.status, part.headers['content-encoding']], [206, undefined]);
  t.is(part.bytes.toString(), content.slice(0, 2_000));
});

test('what a browser reads with its cookies, and what a write returns, is not compressed', async (t) => {
  const { org, key } = await withRuns();
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  const cookie = [...client.cookies].map((each) => each.join('=')).join('; ');
  for (const path of ['/runs', '/console', '/console/runs', '/sign-in']) {
    const { headers } = await read(path, { ...brotli, cookie });
    t.is(headers['content-encoding'], undefined, path);
  }
  const { bytes, headers } = await read(
    '/templates',
    { ...key, ...brotli, 'content-type': 'application/json' },
    'POST',
    JSON.stringify({ name: 'Onboarding', description: 'Long. '.repeat(200) }),
  );
  t.true(bytes.length > 1_024);
  t.is(headers['content-encoding'], undefined);
});

test('what is the same for all is compressed also for a browser with cookies', async (t) => {
  const cookie = 'flow_session=x';
  const { bytes } = await read('/docs');
  const [path = ''] = /\/docs\/reference\.[^"]+\.js/.exec(bytes.toString()) ?? [];
  const script = await read(path, { ...brotli, cookie });
  t.is(script.headers['content-encoding'], 'gzip');
  t.is(script.headers['cache-control'], 'public, max-age=31536000, immutable');
  t.true(gunzipSync(script.bytes).equals((await read(path)).bytes));
  const document = await read('/openapi.json', gzip);
  t.is(document.headers['content-encoding'], 'gzip');
  t.true(gunzipSync(document.bytes).equals((await read('/openapi.json')).bytes));
  const guide = await read('/docs/guides/api.md', brotli);
  t.is(guide.headers['content-encoding'], 'br');
});
