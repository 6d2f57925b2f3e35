import { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import express, { type Express } from 'express';
import { createReceiver, type Receiver, toNodeHandler } from '../src/index.ts';
import { adapterSuite } from './adapter-suite.ts';
import { listen, payload, post, secret } from './support.ts';

adapterSuite('express', (t, receiver) => serve(t, express(), receiver));
adapterSuite('express with a parser for other bodies', (t, receiver) =>
  serve(t, express().use(express.urlencoded({ extended: false })), receiver),
);

test('express: a body read by express.raw() or express.text() is accepted', async (t) => {
  for (const parser of [express.raw({ type: 'application/json' }), express.text({ type: 'application/json' })]) {
    const url = await serve(t, express().use(parser), createReceiver({ secret }));
    t.deepEqual((await post(url, payload({ orgId: 'Zürich' }))).json, { result: 'ignored' });
  }
});

test('express: a body parsed by express.json() gets 500 with the remedy', async (t) => {
  const errors: unknown[] = [];
  const receiver = createReceiver({ secret, onError: (error) => errors.push(error) });
  const url = await serve(t, express().use(express.json()), receiver);

  const { status, json } = await post(url, payload());
  t.deepEqual([status, json.error], [500, 'body_not_raw']);
  t.regex(json.message ?? '', /express\.raw\(/);
  t.is(errors.length, 1);
});

test('express: other routes keep their JSON parser', async (t) => {
  const app = express();
  const url = await serve(t, app, createReceiver({ secret }));
  app.post('/json', express.json(), (req, res) => void res.json({ echo: req.body as unknown }));

  const response = await fetch(new URL('/json', url), {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
  });
  t.deepEqual(await response.json(), { echo: { a: 1 } });
});

async function serve(t: ExecutionContext, app: Express, receiver: Receiver): Promise<string> {
  app.all('/webhooks', toNodeHandler(receiver));
  return `${await listen(t, createServer(app))}/webhooks`;
}
