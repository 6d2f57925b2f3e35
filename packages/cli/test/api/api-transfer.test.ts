import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json, startServer } from '@runward/testing/http-server';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { newFolder, runCommand, startCommand } from '../support/command.ts';

/** Bytes that are not valid UTF-8, so that any conversion to text would change them. */
const content = Buffer.concat([Buffer.from([0xff, 0xfe, 0x00]), randomBytes(200_000)]);

/** Starts a server with endpoints that the contract does not know, like a newer version. */
async function startNewer(t: ExecutionContext, respond: (res: ServerResponse) => unknown) {
  const { baseUrl, received } = await startServer(t, respond);
  return { env: { RUNWARD_API_KEY: 'sk_live_secret', RUNWARD_BASE_URL: baseUrl }, received };
}

function pdf(res: ServerResponse): ServerResponse {
  return res.writeHead(200, {
    'content-type': 'application/pdf',
    'content-length': content.length,
    'content-disposition': 'attachment; filename="report.pdf"',
  });
}

test('api --file sends a multipart body with the bytes and the names of the files and the fields', async (t) => {
  const { env, received } = await startNewer(t, (res) => json(res, 201, { id: 'new' }));
  const cwd = await newFolder(t);
  await writeFile(join(cwd, 'logo.png'), content);
  const args = ['api', 'POST', '/newer/uploads', '-f', 'note=A=B', '-F', 'size=2'];
  const fromDisk = await runCommand([...args, '--file', 'file=@logo.png'], { env, cwd });
  t.is(fromDisk.code, 0, fromDisk.stderr);
  t.deepEqual(JSON.parse(fromDisk.stdout), { id: 'new' });
  const [request] = received;
  t.regex(request?.headers['content-type'] ?? '', /^multipart\/form-data; boundary=/);
  const form = await new Response(request?.bytes, {
    headers: { 'content-type': request?.headers['content-type'] ?? '' },
  }).formData();
  const file = form.get('file') as File;
  t.deepEqual([form.get('note'), form.get('size'), file.name], ['A=B', '2', 'logo.png']);
  t.deepEqual(Buffer.from(await file.arrayBuffer()), content);

  const fromStdin = await runCommand([...args, '--file', 'file=@-'], { env, input: content });
  t.is(fromStdin.code, 0, fromStdin.stderr);
  t.true(received[1]?.bytes.includes(content));
});

test('api rejects files that cannot be read or sent before it sends a request', async (t) => {
  const { env, received } = await startNewer(t, (res) => json(res, 200, {}));
  const cases: [number, RegExp, string[]][] = [
    [1, /none\.png cannot be read: .*no such file/, ['POST', '/newer', '--file', 'file=@none.png']],
    [1, /\. cannot be read: it is not a file/, ['POST', '/newer', '--file', 'file=@.']],
    [2, /--file takes name=@path, not "logo\.png"/, ['POST', '/newer', '--file', 'logo.png']],
    [2, /has no body/, ['GET', '/newer', '--file', 'file=@logo.png']],
    [2, /not --input/, ['POST', '/newer', '--file', 'file=@logo.png', '--input', 'x']],
    [2, /POST \/runs does not accept files/, ['POST', '/runs', '--file', 'file=@logo.png']],
  ];
  for (const [code, message, args] of cases) {
    const ended = await runCommand(['api', ...args], { env, cwd: await newFolder(t) });
    t.is(ended.code, code, ended.stderr);
    t.regex(ended.stderr, message);
  }
  t.deepEqual(received, []);
});

test('api writes a streamed response byte for byte to stdout or --output-file', async (t) => {
  const { env } = await startNewer(t, (res) => pdf(res).end(content));
  const cwd = await newFolder(t);
  const printed = startCommand(['api', 'GET', '/newer/report'], { env });
  t.is((await printed.finished).code, 0);
  t.deepEqual(printed.stdoutBytes(), content);
  t.is(printed.stderr(), '');

  await writeFile(join(cwd, 'report.pdf'), 'an older report');
  const saved = await runCommand(['api', 'GET', '/newer/report', '--output-file', 'report.pdf'], { env, cwd });
  t.deepEqual(saved, { code: 0, stdout: '', stderr: 'Saved report.pdf.\n' });
  t.deepEqual(await readFile(join(cwd, 'report.pdf')), content);
  t.deepEqual(await readdir(cwd), ['report.pdf']);

  const dash = startCommand(['api', 'GET', '/newer/report', '--output-file', '-'], { env });
  await dash.finished;
  t.deepEqual(dash.stdoutBytes(), content);
});

test('a download that breaks off or is stopped leaves the existing file as it is', async (t) => {
  const { env, received } = await startNewer(t, (res) => {
    pdf(res).write(content.subarray(0, 100_000));
    if (received.length === 1) setTimeout(() => res.destroy(), 50);
  });
  const cwd = await newFolder(t);
  const file = join(cwd, 'report.pdf');
  await writeFile(file, 'an older report');
  const args = ['api', 'GET', '/newer/report', '--output-file', 'report.pdf'];
  const broken = await runCommand(args, { env, cwd });
  t.is(broken.code, 1);
  t.regex(broken.stderr, /^Error: /);
  t.deepEqual([await readdir(cwd), await readFile(file, 'utf8')], [['report.pdf'], 'an older report']);

  const stopped = startCommand(args, { env, cwd });
  await until(async () => (await readdir(cwd)).length === 2, 'the download');
  stopped.interrupt();
  t.deepEqual(await stopped.finished, { code: 130, stdout: '', stderr: '' });
  t.deepEqual([await readdir(cwd), await readFile(file, 'utf8')], [['report.pdf'], 'an older report']);

  const unwritable = await runCommand([...args.slice(0, -1), 'missing/report.pdf'], { env, cwd });
  t.is(unwritable.code, 1);
  t.regex(unwritable.stderr, /missing\/report\.pdf cannot be written: there is no such file or directory\./);
});

test('api --output-file also saves JSON; --paginate does not take it', async (t) => {
  const { env } = await startNewer(t, (res) => json(res, 200, { name: 'A', size: 1 }));
  const cwd = await newFolder(t);
  const args = ['api', 'GET', '/newer/thing', '--output-file', 'thing.json'];
  t.is((await runCommand([...args, '--fields', 'name', '-o', 'json'], { env, cwd })).code, 0);
  t.is(await readFile(join(cwd, 'thing.json'), 'utf8'), '{\n  "name": "A"\n}\n');
  t.is((await runCommand([...args, '--paginate'], { env, cwd })).code, 2);
});

test('api does not send a request that needs a session', async (t) => {
  const { env, received } = await startNewer(t, (res) => json(res, 200, {}));
  const { code, stderr } = await runCommand(['api', 'GET', '/api-keys'], { env });
  t.is(code, 4);
  t.regex(stderr, /GET \/api-keys is for .* signed in; an API key cannot call it/);
  t.deepEqual(received, []);
});
