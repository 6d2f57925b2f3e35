import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import { createReceiver, toFetchHandler } from '../src/index.ts';
import { adapterSuite } from './adapter-suite.ts';
import { delivery, listen, secret } from './support.ts';

adapterSuite('fetch', (t, receiver) => serve(t, toFetchHandler(receiver)));

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

// Like the Node servers of frameworks with fetch handlers (Hono, Next.js).
function serve(t: ExecutionContext, handler: (request: Request) => Promise<Response>): Promise<string> {
  async function bridge(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const headers = Object.entries(req.headersDistinct).map(([name, values]): [string, string] => [
      name,
      String(values),
    ]);
    const body = Readable.toWeb(req) as ReadableStream<Uint8Array>;
    const response = await handler(new Request('http://host/', { method: 'POST', headers, body, duplex: 'half' }));
    res.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  }
  return listen(
    t,
    createServer((req, res) => void bridge(req, res)),
  );
}
