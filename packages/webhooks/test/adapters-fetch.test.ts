import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import { Hono } from 'hono';
import { createReceiver, toFetchHandler } from '../src/index.ts';
import { adapterSuite } from './adapter-suite.ts';
import { delivery, listen, secret } from './support.ts';

adapterSuite('fetch', (t, receiver) => serve(t, toFetchHandler(receiver)));
adapterSuite('hono', (t, receiver) => {
  const app = new Hono().all('/', toFetchHandler(receiver));
  return serve(t, async (request) => app.fetch(request));
});

test('fetch: contexts of frameworks are accepted in place of a Request', async (t) => {
  const { rawBody: body, headers } = await delivery();
  const receive = toFetchHandler(createReceiver({ secret }).onAny(() => {}));
  const newRequest = () => new Request('https://receiver.example/', { method: 'POST', body, headers });
  const app = new Hono().post('/direct', receive).post('/raw', (c) => receive(c.req.raw));
  const results = [
    await app.request('/direct', newRequest()),
    await app.request('/raw', newRequest()),
    await receive({ req: newRequest() }),
    await receive({ request: newRequest() }),
  ];
  for (const response of results) t.is(response.status, 200);
  t.deepEqual(await results[0]?.json(), { result: 'handled' });
  t.deepEqual(await results[3]?.json(), { result: 'duplicate' });
});

// The compiler checks this, like the generated types of Next.js: the parameter of a route must be a Request.
test('fetch: the handler is a route of Next.js', async (t) => {
  const POST = toFetchHandler(createReceiver({ secret }));
  const check: Parameters<typeof POST>[0] extends Request ? 'a route' : never = 'a route';
  t.is(check, 'a route');
  const response = await POST(new Request('https://receiver.example/', { method: 'POST' }));
  t.is(response.status, 401);
});

test('fetch: a request of node:http is rejected with the adapter to use', async (t) => {
  const handler = toFetchHandler(createReceiver({ secret }));
  const request = Object.assign(Readable.from([]), { method: 'POST', headers: {} });
  await t.throwsAsync(handler(request as unknown as Request), { instanceOf: TypeError, message: /Use toNodeHandler/ });
});

test('fetch: a Request whose body was read gets 500', async (t) => {
  const { rawBody: body, headers } = await delivery();
  const request = new Request('https://receiver.example/', { method: 'POST', body, headers });
  await request.json();

  const response = await toFetchHandler(createReceiver({ secret, onError: () => {} }))(request);
  t.is(response.status, 500);
  t.like(await response.json(), { error: 'body_not_raw' });
});

test('fetch: a Request that was cloned before reading is accepted', async (t) => {
  const { rawBody: body, headers } = await delivery();
  const request = new Request('https://receiver.example/', { method: 'POST', body, headers });
  await request.clone().json();
  t.is((await toFetchHandler(createReceiver({ secret }))(request)).status, 200);
});

test('fetch: an endless body gets 413, and reading stops', async (t) => {
  let chunks = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      chunks += 1;
      controller.enqueue(new Uint8Array(2 ** 20));
    },
  });
  const request = new Request('https://receiver.example/', { method: 'POST', body, duplex: 'half' });
  t.is((await toFetchHandler(createReceiver({ secret }))(request)).status, 413);
  t.true(chunks < 32, `${chunks} MB were read`);
});

// Serves a fetch handler like the Node servers of Hono and Next.js.
function serve(t: ExecutionContext, handler: (request: Request) => Promise<Response>): Promise<string> {
  async function bridge(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const headers = Object.entries(req.headersDistinct).map(([name, values]): [string, string] => [
      name,
      String(values),
    ]);
    const { method = '' } = req;
    const body = method === 'POST' ? (Readable.toWeb(req) as ReadableStream<Uint8Array>) : null;
    const response = await handler(new Request('http://host/', { method, headers, body, duplex: 'half' }));
    res.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  }
  return listen(
    t,
    createServer((req, res) => void bridge(req, res)),
  );
}
