import test, { type ExecutionContext } from 'ava';
import Fastify, { type FastifyInstance } from 'fastify';
import { createReceiver, fastifyPlugin, type Receiver } from '../src/index.ts';
import { adapterSuite } from './adapter-suite.ts';
import { payload, post, secret } from './support.ts';

adapterSuite('fastify', (t, receiver) => serve(t, Fastify(), receiver));

test('fastify: routes before and after the plugin keep their parsers', async (t) => {
  const app = Fastify();
  app.post('/before', (request, reply) => reply.send({ echo: request.body }));
  const url = await serve(t, app, createReceiver({ secret }), (app) => {
    app.post('/after', (request, reply) => reply.send({ echo: request.body }));
  });

  for (const path of ['/before', '/after']) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(new URL(path, url), { method: 'POST', body: '{"a":1}', headers });
    t.deepEqual(await response.json(), { echo: { a: 1 } }, path);
    const broken = await fetch(new URL(path, url), { method: 'POST', body: '{"a":', headers });
    t.is(broken.status, 400, path);
  }
});

test('fastify: a delivery is handled in an app with a custom JSON parser, under a prefix', async (t) => {
  const app = Fastify();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, { custom: body }),
  );
  const url = await serve(t, app, createReceiver({ secret }), undefined, '/api');
  t.regex(url, /\/api\/webhooks$/);
  t.deepEqual((await post(url, payload())).json, { result: 'ignored' });
});

test('fastify: a body parsed by a hook gets 500', async (t) => {
  const app = Fastify();
  app.addHook('preValidation', async (request) => {
    request.body = JSON.parse(new TextDecoder().decode(request.body as Uint8Array)) as unknown;
  });
  const url = await serve(t, app, createReceiver({ secret, onError: () => {} }));
  const { status, json } = await post(url, payload());
  t.deepEqual([status, json.error], [500, 'body_not_raw']);
});

async function serve(
  t: ExecutionContext,
  app: FastifyInstance,
  receiver: Receiver,
  extend?: (app: FastifyInstance) => void,
  prefix = '',
): Promise<string> {
  await app.register(fastifyPlugin(receiver, { path: '/webhooks' }), { prefix });
  extend?.(app);
  t.teardown(() => app.close());
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}${prefix}/webhooks`;
}
