import { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import Koa, { type Context, type Next } from 'koa';
import { createReceiver, toKoaMiddleware } from '../src/index.ts';
import { adapterSuite } from './adapter-suite.ts';
import { listen, payload, post, secret } from './support.ts';

adapterSuite('koa', (t, receiver) => {
  const app = new Koa();
  app.use(toKoaMiddleware(receiver));
  return serve(t, app);
});

test('koa: a body read by a parser gets 500 with the remedy', async (t) => {
  const app = new Koa();
  app.use((ctx, next) => parseJson(ctx, next));
  app.use(toKoaMiddleware(createReceiver({ secret, onError: () => {} })));

  const { status, json } = await post(await serve(t, app), payload());
  t.deepEqual([status, json.error], [500, 'body_not_raw']);
  t.regex(json.message ?? '', /before body parsers such as express\.json\(\) or koa-body/);
});

test('koa: a receiver mounted before a parser leaves other routes to it', async (t) => {
  const app = new Koa();
  const webhooks = toKoaMiddleware(createReceiver({ secret }));
  app.use((ctx, next) => (ctx.path === '/webhooks' ? webhooks(ctx) : next()));
  app.use((ctx, next) => parseJson(ctx, next));
  app.use((ctx) => {
    ctx.body = { echo: Reflect.get(ctx.request, 'body') as unknown };
  });
  const url = await serve(t, app);

  const response = await fetch(url, { method: 'POST', body: '{"a":1}' });
  t.deepEqual(await response.json(), { echo: { a: 1 } });
  t.deepEqual((await post(`${url}/webhooks`, payload())).json, { result: 'ignored' });
});

test('koa: a raw body that a parser stored beside the parsed one is accepted', async (t) => {
  const app = new Koa();
  app.use(async (ctx, next) => {
    const rawBody = Buffer.concat(await ctx.req.toArray()).toString();
    Object.assign(ctx.request, { rawBody, body: JSON.parse(rawBody) as unknown });
    await next();
  });
  app.use(toKoaMiddleware(createReceiver({ secret })));
  t.deepEqual((await post(await serve(t, app), payload())).json, { result: 'ignored' });
});

/** Stores the parsed body, like common body parsers. */
async function parseJson(ctx: Context, next: Next): Promise<void> {
  const text = Buffer.concat(await ctx.req.toArray()).toString();
  Object.assign(ctx.request, { body: JSON.parse(text) as unknown });
  await next();
}

function serve(t: ExecutionContext, app: Koa): Promise<string> {
  const callback = app.callback();
  return listen(
    t,
    createServer((req, res) => void callback(req, res)),
  );
}
