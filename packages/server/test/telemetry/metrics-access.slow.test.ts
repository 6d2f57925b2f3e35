import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newDataFolder } from '@runward/testing/data-folder';
import { createDatabase } from '@runward/testing/database';
import { freePort } from '@runward/testing/ports';
import { repository } from '@runward/testing/program';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';

const token = 'a-token-for-prometheus';

async function start(t: ExecutionContext, env: Record<string, string>) {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const folder = await newDataFolder();
  t.teardown(() => folder[Symbol.asyncDispose]());
  const file = join(folder.path, 'token');
  await writeFile(file, `${token}\n`);
  const service = await startServiceFor(t, folder.path, { DATABASE_URL: url, METRICS_TOKEN_FILE: file, ...env });
  return service.baseUrl;
}

const withToken = (given: string) => ({ headers: { authorization: `Bearer ${given}` } });

test('metrics need their token, and are all in the table of the guide', async (t) => {
  const baseUrl = await start(t, {});
  for (const init of [{}, withToken('another-token-here'), { headers: { authorization: token } }]) {
    const response = await fetch(`${baseUrl}/metrics`, init);
    t.is(response.status, 401);
    t.regex(response.headers.get('www-authenticate') ?? '', /^Bearer realm="Runward"/);
    t.regex(await response.text(), /send the value of METRICS_TOKEN/);
  }
  let text = '';
  // What the database says too late for one scrape is in the next one.
  await until(async () => {
    const response = await fetch(`${baseUrl}/metrics`, withToken(token));
    t.is(response.status, 200);
    text = await response.text();
    return text.includes('\nwebhook_delivery_lag_seconds 0\n') && text.includes('\nwebhook_deliveries_pending 0\n');
  }, 'the lag of deliveries');
  t.regex(text, /^database_pool_connections [1-9]/m);
  t.regex(text, /^rate_limit_rejections_total\{code="rate_limited"\} 0$/m);

  const names = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name);
  const guide = readFileSync(join(repository, 'docs/guides/operations.md'), 'utf8');
  const [table = ''] = guide.match(/^\| Metric [^]*?\n\n/m) ?? [];
  const own = names.filter((name) => !/^(?:process|nodejs)_/.test(name));
  t.deepEqual(
    own.filter((name) => !table.includes(`\`${name}\``)),
    [],
  );
  const documented = [...table.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name = '']) => name);
  t.deepEqual(
    documented.filter((name) => !own.includes(name)),
    [],
  );
});

test('with a port of their own, metrics are served there only; compression can be off', async (t) => {
  const port = await freePort();
  const baseUrl = await start(t, { METRICS_PORT: String(port), COMPRESSION: 'false' });
  t.is((await fetch(`${baseUrl}/metrics`, withToken(token))).status, 404);
  const apart = `http://127.0.0.1:${port}`;
  t.is((await fetch(`${apart}/metrics`)).status, 401);
  t.is((await fetch(`${apart}/metrics`, withToken(token))).status, 200);
  t.is((await fetch(`${apart}/health/ready`)).status, 200);
  t.is((await fetch(`${apart}/runs`)).status, 404);

  const document = await fetch(`${baseUrl}/openapi.json`);
  t.is(document.headers.get('content-encoding'), null);
  t.is(document.headers.get('vary'), null);
});
