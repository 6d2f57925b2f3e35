import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { useApp } from '@runward/testing/app';
import { until } from '@runward/testing/until';
import test from 'ava';
import Koa from 'koa';
import { sql } from 'kysely';
import { renderErrors } from '../../src/http/render-error.ts';
import { logRequests } from '../../src/http/telemetry/log-requests.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { noMetrics } from '../../src/telemetry/metrics.ts';

const app = useApp(test);

interface Line {
  readonly level: number;
  readonly status: number;
  readonly err?: { readonly message: string; readonly cause?: { readonly code?: string } };
}

/** The response to a request whose handler fails, and the line that is logged. */
async function failing(handle: () => Promise<unknown>) {
  const lines: string[] = [];
  const koa = new Koa();
  koa.silent = true;
  koa.use(logRequests(createLog('info', { write: (line) => void lines.push(line) }), noMetrics));
  koa.use(renderErrors);
  koa.use(async () => void (await handle()));
  const server = koa.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`);
    const { message } = (await response.json()) as { message: unknown };
    const line = await until(() => lines[0], 'a line of the log');
    return { status: response.status, message, line: JSON.parse(line) as Line };
  } finally {
    server.close();
  }
}

test('a value that PostgreSQL rejects is a 400, and is logged as a defect with its SQLSTATE', async (t) => {
  const rejected = {
    '22P02': sql`select ${'x'}::uuid`,
    '22003': sql`select ${'99999999999'}::int`,
    '22007': sql`select ${'never'}::timestamptz`,
    '22008': sql`select ${'2026-02-30'}::date`,
    '22021': sql`select convert_from(${Buffer.from([0xff])}::bytea, 'UTF8')`,
  };
  for (const [code, query] of Object.entries(rejected)) {
    const { status, message, line } = await failing(() => query.execute(app.database.em.fork().getKysely()));
    t.deepEqual(
      [status, message],
      [400, 'A value in the request cannot be stored; check its length, range and characters.'],
      code,
    );
    t.like(line, { level: 50, status: 400, err: { cause: { code } } });
    t.regex(line.err?.message ?? '', new RegExp(`SQLSTATE ${code}`));
  }
  const { status, line } = await failing(() => app.database.em.fork().execute('select ?::uuid', ['x']));
  t.is(status, 400);
  t.like(line, { level: 50, err: { cause: { code: '22P02' } } });
});

test('another error of PostgreSQL is a 500', async (t) => {
  for (const query of [sql`select 1 / 0`, sql`select nothing`]) {
    const { status, message, line } = await failing(() => query.execute(app.database.em.fork().getKysely()));
    t.deepEqual([status, message], [500, 'Internal error; retry in a moment.']);
    t.is(line.level, 50);
  }
});
