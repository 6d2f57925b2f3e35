import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { useApp } from '@runward/testing/app';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { directUploadPath, openForm } from '../support/files.ts';

const app = useApp(test);

const png = Buffer.from('89504e470d0a1a0a', 'hex');

async function newTarget() {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const path = `/templates/${templateId}/background-image`;
  const send = async (body: FormData | string, headers: Record<string, string> = {}) =>
    org.api.raw('POST', path, { body, headers });
  return { ...org, path, templateId, send };
}

const storedFiles = ({ organizationId }: TestOrganization) =>
  readdir(join(app.filesFolder, organizationId, 'files')).catch(() => []);

function form(...parts: [name: string, content: string | Uint8Array, fileName?: string][]): FormData {
  const body = new FormData();
  for (const [name, content, fileName = 'a.png'] of parts) {
    if (typeof content === 'string') body.append(name, content);
    else body.append(name, new File([new Uint8Array(content)], fileName));
  }
  return body;
}

test.serial('parts that the endpoint does not describe are rejected by name', async (t) => {
  const { send, api, templateId: id } = await newTarget();
  const bad: [FormData, RegExp][] = [
    [form(), /^(file|body): /],
    [form(['file', 'text']), /^file: /],
    [form(['other', png]), /^other: unexpected or repeated file part/],
    [form(['file', png], ['file', png]), /^file: unexpected or repeated file part/],
    [form(['file', png], ['title', 'x']), /^title: unknown parameter/],
  ];
  for (const [body, message] of bad) {
    const { status, error } = await send(body);
    t.is(status, 400, JSON.stringify(error));
    t.regex([error.message].flat()[0] ?? '', message);
  }
  t.is((await must(api.call('templates', 'get', { params: { id } }))).backgroundImage, null);
});

test.serial('a body that is not well-formed multipart is a 400, and no file is left', async (t) => {
  const { send } = await newTarget();
  const boundary = { 'content-type': 'multipart/form-data; boundary=x' };
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  const bad: [string, Record<string, string>][] = [
    ['{}', { 'content-type': 'application/json' }],
    ['', boundary],
    ['--x', boundary],
    ['--y--\r\n', boundary],
    [head, boundary],
    [`${head}abc`, boundary],
    [`${head}abc\r\n--x`, boundary],
    [`${head}abc\r\n--x--\r\n`, { 'content-type': 'multipart/form-data' }],
    ['--x\r\ncontent-disposition: form-data\r\n\r\nabc\r\n--x--\r\n', boundary],
    [`--x\r\n${'a'.repeat(20_000)}\r\n\r\nabc\r\n--x--\r\n`, boundary],
  ];
  for (const [body, headers] of bad) {
    const { status, error } = await send(body, headers);
    t.is(status, 400, `${body.slice(0, 60)}: ${JSON.stringify(error)}`);
    t.true(Array.isArray(error.message));
  }
  await until(async () => (await readdir(app.uploadsFolder)).length === 0, 'the removal of the files');
});

test.serial('of files that are rejected after they have arrived, none is left', async (t) => {
  const { send } = await newTarget();
  for (const content of [Buffer.from('text'), png, Buffer.alloc(0)]) {
    t.is((await send(form(['file', content]))).status, 400);
  }
  t.deepEqual(await readdir(app.uploadsFolder), []);
});

test.serial('a file over the limit is a 413, announced or not, and nothing is left', async (t) => {
  const { send, apiKey, path } = await newTarget();
  const large = new Uint8Array(10 * 1024 * 1024 + 1);
  t.is((await send(form(['file', large]))).status, 413);

  // Chunked, so that the size is not known beforehand.
  const boundary = 'x';
  async function* body() {
    yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n`);
    for (let sent = 0; sent <= large.length; sent += 64 * 1024) yield Buffer.alloc(64 * 1024);
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  const response = await fetch(new URL(path, app.baseUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: ReadableStream.from(body()),
    duplex: 'half',
  });
  t.is(response.status, 413);
  await until(async () => (await readdir(app.uploadsFolder)).length === 0, 'the removal of the file');
});

test.serial('an announced size over the limit is rejected before the body is sent', async (t) => {
  const { apiKey, path } = await newTarget();
  const { hostname, port } = new URL(app.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${apiKey}\r\n` +
      'content-type: multipart/form-data; boundary=x\r\ncontent-length: 99999999\r\n\r\n',
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  t.regex(answer.toString(), /^HTTP\/1\.1 413 [\s\S]*connection: close/i);
});

test.serial('a client that leaves in the middle of a file leaves nothing behind', async (t) => {
  const { apiKey, path, api, templateId: id } = await newTarget();
  const { hostname, port } = new URL(app.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${apiKey}\r\n` +
      'content-type: multipart/form-data; boundary=x\r\ncontent-length: 5000000\r\n\r\n' +
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
  );
  socket.write(Buffer.alloc(100_000));
  await until(async () => (await readdir(app.uploadsFolder)).length > 0, 'the file');
  socket.destroy();
  await until(async () => (await readdir(app.uploadsFolder)).length === 0, 'the removal of the file');
  t.is((await must(api.call('templates', 'get', { params: { id } }))).backgroundImage, null);
});

test.serial('an upload that ends early, in its parts or in its content, leaves nothing', async (t) => {
  const form = await openForm(app);
  const { hostname, port } = new URL(app.baseUrl);
  const fields = Object.entries({ executionEntryId: form.entryId, runTaskFieldId: form.field('papers') });
  const parts = fields.map(([name, id]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${id}\r\n`);
  const file = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nHello';
  const head = { authorization: `Bearer ${form.org.apiKey}`, 'content-type': 'multipart/form-data; boundary=x' };
  for (const body of [
    parts.join(''),
    parts.join('') + file,
    `${parts.join('')}${file}\r\n--x`,
    `${file}\r\n--x--\r\n`,
  ]) {
    const response = await fetch(new URL(directUploadPath, app.baseUrl), { method: 'POST', headers: head, body });
    t.is(response.status, 400, body);
    await response.body?.cancel();
  }
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ ...head, host: 'x', 'content-length': '9999' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(`POST ${directUploadPath} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${parts.join('')}${file}`);
  await once(socket.resume(), 'close');
  await until(async () => (await readdir(app.uploadsFolder)).length === 0, 'the removal of the file');
  t.deepEqual(await storedFiles(form.org), []);
  t.is(await form.value('papers'), undefined);
});

test.serial('a file over 25 MiB is a 413 before the rest of it is sent, and nothing is left', async (t) => {
  const form = await openForm(app);
  const { hostname, port } = new URL(app.baseUrl);
  const socket = connect(Number(port), hostname);
  const fields = Object.entries({ executionEntryId: form.entryId, runTaskFieldId: form.field('papers') });
  const parts = fields.map(([name, id]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${id}\r\n`);
  socket.write(
    `POST ${directUploadPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${form.org.apiKey}\r\n` +
      'content-type: multipart/form-data; boundary=x\r\ntransfer-encoding: chunked\r\n\r\n',
  );
  const chunk = (content: Buffer) => {
    socket.write(`${content.length.toString(16)}\r\n`);
    socket.write(content);
    return socket.write('\r\n');
  };
  chunk(Buffer.from(`${parts.join('')}--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`));
  const response = once(socket, 'data') as Promise<[Buffer]>;
  for (let sent = 0; sent <= 25; sent += 1) if (!chunk(Buffer.alloc(1024 * 1024))) await once(socket, 'drain');
  const [answer] = await response;
  socket.destroy();
  t.regex(answer.toString(), /^HTTP\/1\.1 413 /);
  await until(async () => (await readdir(app.uploadsFolder)).length === 0, 'the removal of the file');
  t.deepEqual(await storedFiles(form.org), []);
});
