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

test('koa: refuses a body that a parser took before, and says what to do', async (t) => {
  const app = new Koa();
  app.use((ctx, next) => parseJson(ctx, next));
  app.use(toKoaMiddleware(createReceiver({ secret, onError: () => {} })));

  const { status, answer } = await post(await serve(t, app), payload());
  t.deepEqual([status, answer.error], [500, 'body_not_raw']);
  t.regex(answer.message ?? '', /before body parsers such as express\.json\(\) or koa-body/);
});

test('koa: works before a parser, which then serves the other routes', async (t) => {
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
  t.deepEqual((await post(`${url}/webhooks`, payload())).answer, { result: 'handled' });
});

test('koa: takes the raw body that a parser left beside the parsed one', async (t) => {
  const app = new Koa();
  app.use(async (ctx, next) => {
    const rawBody = Buffer.concat(await ctx.req.toArray()).toString();
    Object.assign(ctx.request, { rawBody, body: JSON.parse(rawBody) as unknown });
    await next();
  });
  app.use(toKoaMiddleware(createReceiver({ secret })));
  t.deepEqual((await post(await serve(t, app), payload())).answer, { result: 'handled' });
});

/** What the usual body parsers do. */
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
