import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';

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
