import { createServer } from 'node:http';
import type { Endpoint } from '@runward/contract';
import { listenOnLoopback, closeServer } from '@runward/testing/http-server';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import Koa from 'koa';
import { z } from 'zod';
import { badRequest } from '../../src/api-error.ts';
import { mount, type Route } from '../../src/http/mount.ts';
import { operationOf } from '../../src/http/openapi/operations.ts';
import { renderErrors } from '../../src/http/render-error.ts';

const app = useSharedApp(test);

const endpoint = {
  method: 'GET',
  path: '/old',
  access: 'runs:read',
  summary: 'List what is old',
  description: 'Newest first.',
  response: z.object({ id: z.string() }),
  deprecated: { since: '2026-11-27', sunset: '2027-11-27', use: 'GET /new' },
} as const satisfies Endpoint;

/** A service with these routes only. */
async function serve(routes: readonly Route[]) {
  const koa = new Koa();
  koa.silent = true;
  koa.use(renderErrors);
  koa.use(mount(routes, 'https://runward.example.com'));
  const handle = koa.callback();
  const server = createServer((request, response) => void handle(request, response));
  const port = await listenOnLoopback(server);
  return { baseUrl: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => closeServer(server) };
}

const run: Route['run'] = async (ctx) => {
  if (ctx.query['fail'] !== undefined) throw badRequest('validation_failed', 'It is old.');
  ctx.body = { id: '1' };
};

const headersOf = ({ headers }: Response) => [headers.get('deprecation'), headers.get('sunset'), headers.get('link')];

test('every response of a deprecated endpoint, also an error, says since when and until when', async (t) => {
  const undecided = { ...endpoint, path: '/older', deprecated: { since: '2026-11-27', use: 'GET /new' } } as const;
  const current = { ...endpoint, path: '/new', deprecated: undefined } as const;
  using service = await serve([
    { operation: 'old.list', endpoint, run },
    { operation: 'older.list', endpoint: undecided, run },
    { operation: 'new.list', endpoint: { method: current.method, path: current.path }, run },
  ]);
  const link = '<https://runward.example.com/docs/guides/stability.md>; rel="deprecation"; type="text/markdown"';
  const found = await fetch(`${service.baseUrl}/old`);
  t.deepEqual(headersOf(found), ['@1795737600', 'Sat, 27 Nov 2027 00:00:00 GMT', link]);
  const failed = await fetch(`${service.baseUrl}/old?fail`);
  t.is(failed.status, 400);
  t.deepEqual(headersOf(failed), headersOf(found));
  t.deepEqual(headersOf(await fetch(`${service.baseUrl}/older`)), ['@1795737600', null, link]);
  t.deepEqual(headersOf(await fetch(`${service.baseUrl}/new`)), [null, null, null]);
});

test('the operation of a deprecated endpoint says what to use instead, and describes the headers', (t) => {
  const operation = operationOf('folders', 'old', endpoint);
  t.true(operation.deprecated);
  t.is(operation['x-sunset'], '2027-11-27');
  t.regex(
    operation.description ?? '',
    /^Deprecated since 2026-11-27; use `GET \/new` instead\. It may be removed from 2027-11-27 on\.\n\nNewest first\./,
  );
  const { headers } = operation.responses['200'] as { headers: Record<string, unknown> };
  t.deepEqual(
    Object.keys(headers).filter((name) => ['Deprecation', 'Sunset', 'Link'].includes(name)),
    ['Deprecation', 'Sunset', 'Link'],
  );
  const { deprecated: _, ...current } = endpoint;
  t.false('deprecated' in operationOf('folders', 'old', current));
});

test('the guide that deprecated endpoints link to is served', async (t) => {
  const response = await fetch(`${app.baseUrl}/docs/guides/stability.md`);
  t.is(response.status, 200);
  t.regex(await response.text(), /^# Stability/);
});
