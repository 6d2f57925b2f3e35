import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenOnLoopback } from '@runward/testing/http-server';
import test, { type ExecutionContext } from 'ava';
import { useServer } from '../support/service.ts';
import { runThroughProxy } from '../support/through-proxy.ts';

const { newWorkplace } = useServer(test);

/** A proxy that records each write, without ids. It calls `before` before it forwards the write. */
async function startRecorder(t: ExecutionContext, target: string, before: () => Promise<void>) {
  const writes: string[] = [];
  const server = createServer((req, res) => void forward(req, res).catch(() => res.destroy()));
  const port = await listenOnLoopback(server);
  t.teardown(() => closeServer(server));

  async function forward(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '' } = req;
    const body = await buffer(req);
    if (method !== 'GET') {
      writes.push(`${method} ${url.replaceAll(/[0-9a-f-]{36}/g, 'ID')}`);
      await before();
    }
    const headers = Object.fromEntries(
      Object.entries(req.headers).filter(([name]) => ['authorization', 'content-type', 'if-match'].includes(name)),
    ) as Record<string, string>;
    const response = await fetch(target + url, { method, headers, ...(method !== 'GET' && { body }) });
    res.writeHead(response.status, { 'content-type': 'application/json' }).end(await response.text());
  }

  return { writes, env: { RUNWARD_BASE_URL: `http://127.0.0.1:${port}` } };
}

const tasks = [
  { title: 'A', fields: [{ key: 'a', label: 'A', type: 'TEXT' }] },
  { title: 'B', dependsOn: ['A'] },
];

test('templates apply sends the draft in one request, and the settings in another if they differ', async (t) => {
  const { baseUrl, data } = await newWorkplace();
  const { writes, env } = await startRecorder(t, baseUrl, () => Promise.resolve());
  const apply = async (file: object, ...args: string[]) => {
    await data(['templates', 'apply', '-', '--yes', ...args], { env, input: JSON.stringify(file) });
    return writes.splice(0);
  };
  t.deepEqual(await apply({ name: 'One', tasks }), ['POST /templates', 'PUT /templates/ID/draft']);
  t.deepEqual(await apply({ name: 'One', tasks }), []);
  t.deepEqual(await apply({ name: 'One', tasks: tasks.slice(0, 1) }), ['PUT /templates/ID/draft']);
  const both = await apply({ name: 'One', description: 'New', tasks });
  t.deepEqual(both, ['PUT /templates/ID/draft', 'PUT /templates/ID']);
});

test('templates push applies a file without asking, and publishes it on request', async (t) => {
  const { baseUrl, data } = await newWorkplace();
  const { writes, env } = await startRecorder(t, baseUrl, () => Promise.resolve());
  const input = JSON.stringify({ name: 'One', tasks });
  const pushed = await data<object>(['templates', 'push', '-', '--publish', '--note', 'First'], { env, input });
  t.like(pushed, { version: { number: 1, note: 'First' } });
  t.deepEqual(writes, ['POST /templates', 'PUT /templates/ID/draft', 'POST /templates/ID/publish']);
});

test('templates apply changes nothing if the template changes after its draft was read', async (t) => {
  const { org, baseUrl, data, runward } = await newWorkplace();
  const { templateId: id } = await data<{ templateId: string }>(['templates', 'apply', '-', '--yes'], {
    input: JSON.stringify({ name: 'One', tasks }),
  });
  const { env } = await startRecorder(t, baseUrl, async () => {
    await org.api.call('templates.tasks', 'create', { params: { id }, body: { title: 'C' } });
  });
  const file = { name: 'One', description: 'New', tasks: tasks.toReversed() };
  const rejected = await runward(['templates', 'apply', '-', '--yes'], { env, input: JSON.stringify(file) });
  t.not(rejected.code, 0);
  t.regex(rejected.stderr, /412|changed/);
  const draft = await data<{ description: string | null; tasks: { title: string }[] }>(['templates', 'get', id]);
  t.is(draft.description, null);
  t.deepEqual(
    draft.tasks.map(({ title }) => title),
    ['A', 'B', 'C'],
  );
});

test('templates apply survives the loss of the responses to its changes', async (t) => {
  const work = await newWorkplace();
  const args = ['templates', 'apply', '-', '--yes'];
  await work.data(args, { input: JSON.stringify({ name: 'One', tasks }) });
  const input = JSON.stringify({ name: 'One', description: 'New', tasks: tasks.slice(0, 1) });
  // The first response to each change is lost.
  const { code, stderr } = await runThroughProxy(t, work, args, { input, onWrite: (index) => index % 2 === 1 });
  t.is(code, 0, stderr);
  t.regex(stderr, /changes in "One"/);
});
