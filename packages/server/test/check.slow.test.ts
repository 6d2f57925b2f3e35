import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { newDataFolder } from '@runward/testing/data-folder';
import { createDatabase } from '@runward/testing/database';
import { listenOnLoopback } from '@runward/testing/http-server';
import { startSmtp } from '@runward/testing/mail/smtp';
import { startProvider } from '@runward/testing/openid/provider';
import { freePort } from '@runward/testing/ports';
import { startProgram } from '@runward/testing/program';
import { startReceiver } from '@runward/testing/receiver';
import { startServiceFor } from '@runward/testing/service';
import test, { type ExecutionContext } from 'ava';
import pLimit from 'p-limit';
import { hasClamd, prepareClamd } from './support/clamd.ts';
import { query } from './support/database/connect.ts';
import { onOnePostgres } from './support/database/on-one-postgres.ts';
import { hasRedis, startRedis } from './support/redis.ts';
import { bucketCredentials, startBucket } from './support/world/bucket.ts';
import { startCollector } from './support/world/collector.ts';

type Env = Record<string, string>;

/** Few programs at a time: each part has 5 s, in which a program has to get a share of a busy machine. */
const fewAtATime = pLimit(3);

/** Runs `runward-server --check` in a folder without a `.env` file. */
function check(t: ExecutionContext, env: Env, ...more: string[]) {
  return fewAtATime(() => runCheck(t, env, more));
}

async function runCheck(t: ExecutionContext, env: Env, more: readonly string[]) {
  const folder = await newDataFolder();
  t.teardown(() => folder[Symbol.asyncDispose]());
  const began = performance.now();
  const program = startProgram('packages/server/src/bin.ts', ['--check', ...more], {
    cwd: folder.path,
    env: { DATA_DIR: folder.path, ...env },
  });
  const exitCode = await program.ended;
  const lines = program.stdout().trimEnd().split('\n');
  return {
    exitCode,
    stdout: program.stdout(),
    seconds: (performance.now() - began) / 1_000,
    folder: folder.path,
    /** The status and the message of a part. */
    part: (name: string) =>
      lines.find((line) => line.replace(/^\w+ +/, '').startsWith(`${name}  `))?.replace(new RegExp(`  ${name} +`), ' '),
  };
}

async function newDatabase(t: ExecutionContext, options = {}) {
  const { url, drop } = await createDatabase(options);
  t.teardown(drop);
  return url;
}

/** A server that does with a connection what `greet` does. Never ends one by itself. */
async function listen(t: ExecutionContext, greeting?: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    t.teardown(() => socket.destroy());
    if (greeting !== undefined) socket.write(greeting);
  });
  t.teardown(() => server.close());
  return listenOnLoopback(server);
}

test('everything that is configured and works is ok, and nothing is left behind', async (t) => {
  await using smtp = await startSmtp({ password: 'right' });
  await using bucket = await startBucket();
  await using collector = await startCollector();
  await using provider = await startProvider();
  const { exitCode, stdout, part, folder } = await check(t, {
    DATABASE_URL: await newDatabase(t),
    SMTP_URL: smtp.url,
    MAIL_FROM: 'runward@example.com',
    FILES_URL: bucket.url,
    ...bucketCredentials,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.baseUrl,
    BASE_URL: 'https://runward.example.com',
    OIDC_ACME_ISSUER: provider.issuer,
    OIDC_ACME_CLIENT_ID: 'runward',
  });
  t.is(exitCode, 0, stdout);
  t.regex(stdout, /^ok {5}settings +all are valid\n/);
  t.regex(part('database') ?? '', /^ok +PostgreSQL \d+\.\d+, migrations up to date$/);
  t.regex(part('data folder') ?? '', /^ok +.* can be written and read$/);
  t.regex(part('files') ?? '', /^ok +the bucket files can be written and read$/);
  t.regex(part('PDF') ?? '', /^ok +@runward\/pdf and @runward\/fonts-cjk are installed$/);
  t.regex(part('mail') ?? '', /^ok +127\.0\.0\.1:\d+ responds and accepts the user and the password$/);
  t.regex(part('single sign-on acme') ?? '', /^ok +http:\/\/127\.0\.0\.1:\d+ describes itself/);
  t.regex(part('virus scanner') ?? '', /^off +CLAMAV_URL is not set; files are not scanned$/);
  t.regex(
    part('traces') ?? '',
    /^ok +http:.*\/v1\/traces receives the traces of runward; the sampler is parentbased_always_on$/,
  );
  t.deepEqual(collector.spans(), []);
  t.is(bucket.stored(), 1);
  t.is(bucket.objects.size, 0);
  t.is(smtp.mails.length, 0);
  t.deepEqual(await readdir(folder), []);
});

test('an empty database is ok and stays empty, and one with pending migrations says how many', async (t) => {
  const empty = await newDatabase(t, { empty: true });
  const first = await check(t, { DATABASE_URL: empty });
  t.is(first.exitCode, 0, first.stdout);
  t.regex(first.part('database') ?? '', /, empty; the first start of the service creates its tables$/);
  await t.throwsAsync(query(empty, 'select from migrations'), { code: '42P01' });

  const older = await newDatabase(t);
  await query(older, `delete from migrations where name > '0015'`);
  const second = await check(t, { DATABASE_URL: older });
  t.is(second.exitCode, 0, second.stdout);
  t.regex(
    second.part('database') ?? '',
    /, [1-9]\d* of \d+ migrations pending; the next start of the service applies them$/,
  );
});

onOnePostgres(
  'a database with a wrong encoding is wrong, and one without letters beyond ASCII is a warning',
  async (t) => {
    const encoded = await check(t, { DATABASE_URL: await newDatabase(t, { encoding: 'SQL_ASCII' }) });
    t.is(encoded.exitCode, 1);
    t.regex(encoded.part('database') ?? '', /^wrong +DATABASE_URL: the database has the encoding SQL_ASCII; create it/);
    const ascii = await check(t, { DATABASE_URL: await newDatabase(t, { encoding: 'UTF8' }) });
    t.is(ascii.exitCode, 0);
    t.regex(ascii.part('database') ?? '', /^warning +DATABASE_URL: its locale knows only .*; create a database from/);
  },
);

test('every wrong setting is one line, and names that resemble one are suggested', async (t) => {
  const { exitCode, stdout } = await check(t, { PORT: 'abc', FILE_URL: 's3://x', BASE_URL: 'x' });
  t.is(exitCode, 1);
  const lines = stdout.trimEnd().split('\n');
  t.is(lines.length, 3, stdout);
  t.true(lines.every((line) => line.startsWith('wrong  settings  ')));
  t.regex(stdout, /PORT: must be a whole number.*\n[^]*FILE_URL: unknown; did you mean FILES_URL\?\n/);
});

test('a secret is read from its file, and a file that is missing is one line that does not repeat the others', async (t) => {
  const folder = await newDataFolder();
  t.teardown(() => folder[Symbol.asyncDispose]());
  const DATABASE_URL_FILE = join(folder.path, 'database-url');
  await writeFile(DATABASE_URL_FILE, `${await newDatabase(t)}\n`);
  const { part } = await check(t, { DATABASE_URL_FILE, NODE_ENV: 'production' });
  t.regex(part('database') ?? '', /^ok +PostgreSQL \d+\.\d+, migrations up to date$/);
  const missing = await check(t, { DATABASE_URL_FILE: `${DATABASE_URL_FILE}s`, ROLE: 'api', NODE_ENV: 'production' });
  t.is(
    missing.stdout,
    `wrong  settings  DATABASE_URL_FILE: ${DATABASE_URL_FILE}s does not exist; create the file, or correct its path\n`,
  );
});

test('a database at a wrong port, with a wrong password, of another program or without permissions is wrong', async (t) => {
  const url = new URL(await newDatabase(t));
  const closed = await check(t, { DATABASE_URL: `postgres://runward:pw@127.0.0.1:${await freePort()}/runward` });
  t.is(closed.exitCode, 1);
  t.regex(
    closed.part('database') ?? '',
    /^wrong +DATABASE_URL: connect ECONNREFUSED 127.*; check its host, port, user/,
  );

  const wrong = new URL(url);
  wrong.password = 'not-the-password';
  const rejected = await check(t, { DATABASE_URL: wrong.href });
  t.regex(rejected.part('database') ?? '', /^wrong +DATABASE_URL: password authentication failed for user/);
  t.false(rejected.stdout.includes('not-the-password'));

  const foreign = await newDatabase(t, { empty: true });
  await query(foreign, 'create table customers (id int)');
  const other = await check(t, { DATABASE_URL: foreign });
  t.regex(other.part('database') ?? '', /the database has tables, but no migrations .*; use an empty database/);

  const role = `reader_${Date.now()}`;
  await query(url.href, `create role ${role} login password 'pw'; grant usage, create on schema public to ${role}`);
  t.teardown(() => query(url.href, `drop owned by ${role}; drop role ${role}`));
  const asReader = Object.assign(new URL(url), { username: role, password: 'pw' });
  const forbidden = await check(t, { DATABASE_URL: asReader.href });
  t.is(forbidden.exitCode, 1);
  t.regex(
    forbidden.part('database') ?? '',
    /may not read and change activity, .* more tables; grant it SELECT, INSERT/,
  );
});

test('a bucket that does not exist, or may not be written, is wrong', async (t) => {
  await using bucket = await startBucket({ readOnly: true });
  const DATABASE_URL = await newDatabase(t);
  const missing = await check(t, { DATABASE_URL, FILES_URL: bucket.missingUrl, ...bucketCredentials });
  t.is(missing.exitCode, 1);
  t.regex(
    missing.part('files') ?? '',
    /^wrong +FILES_URL: the bucket absent cannot be used \(NoSuchBucket: .*; create/,
  );
  const readOnly = await check(t, { DATABASE_URL, FILES_URL: bucket.url, ...bucketCredentials });
  t.regex(readOnly.part('files') ?? '', /^wrong +FILES_URL: .*AccessDenied.*; allow the key to list the bucket/);
});

const s3Url = process.env['S3_TEST_URL'];
(s3Url === undefined ? test.skip : test)(
  'a bucket of a real service is ok, and one that it lacks is wrong',
  async (t) => {
    const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env;
    const env = { DATABASE_URL: await newDatabase(t), AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
    const { part } = await check(t, { ...env, FILES_URL: s3Url ?? '' });
    t.regex(part('files') ?? '', /^ok /);
    const missing = await check(t, { ...env, FILES_URL: (s3Url ?? '').replace('s3://', 's3://no-') });
    t.regex(missing.part('files') ?? '', /^wrong +FILES_URL: the bucket/);
  },
);

test('a folder that is a file, or is below one, is wrong', async (t) => {
  const folder = await newDataFolder();
  t.teardown(() => folder[Symbol.asyncDispose]());
  await writeFile(join(folder.path, 'file'), '');
  const DATABASE_URL = await newDatabase(t);
  const { exitCode, part } = await check(t, { DATABASE_URL, DATA_DIR: join(folder.path, 'file') });
  t.is(exitCode, 1);
  t.regex(part('data folder') ?? '', /^wrong +DATA_DIR: .*\/file is not a folder; give a folder in which/);
  t.regex(part('files') ?? '', /^wrong +DATA_DIR: /);
  await mkdir(join(folder.path, 'data'));
  const { part: fine } = await check(t, { DATABASE_URL, DATA_DIR: join(folder.path, 'data/of/runward') });
  t.regex(fine('data folder') ?? '', /^ok .* does not exist yet; the first start of the service creates it$/);
  t.deepEqual(await readdir(join(folder.path, 'data')), []);
});

test('a mail server that rejects the password, speaks another protocol or is silent is wrong', async (t) => {
  const env = { DATABASE_URL: await newDatabase(t), MAIL_FROM: 'runward@example.com' };
  await using smtp = await startSmtp({ password: 'right' });
  const rejected = await check(t, { ...env, SMTP_URL: smtp.url.replace('right', 'not-the-password') });
  t.is(rejected.exitCode, 1);
  t.regex(rejected.part('mail') ?? '', /^wrong +SMTP_URL: Invalid login: 535 Invalid login; check its host/);
  t.false(rejected.stdout.includes('not-the-password'));

  const other = await check(t, { ...env, SMTP_URL: `smtp://127.0.0.1:${await listen(t, 'SSH-2.0-server\r\n')}` });
  t.regex(other.part('mail') ?? '', /^wrong +SMTP_URL: Invalid greeting.*SSH-2\.0-server/);

  await using open = await startSmtp();
  const withoutSignIn = await check(t, { ...env, SMTP_URL: open.url.replace('127.0.0.1', 'ada:pw@127.0.0.1') });
  t.regex(withoutSignIn.part('mail') ?? '', /^wrong +SMTP_URL: /);
});

test('a receiver of traces that rejects its key is wrong, without repeating it', async (t) => {
  await using receiver = await startReceiver(() => 401);
  const { exitCode, stdout, part } = await check(t, {
    DATABASE_URL: await newDatabase(t),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=not-the-key',
  });
  t.is(exitCode, 1);
  t.regex(part('traces') ?? '', /^wrong +OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: .* returned 401; give its key in/);
  t.false(stdout.includes('not-the-key'));
  t.is(receiver.received[0]?.headers['x-key'], 'not-the-key');
});

test('parts that accept connections and stay silent are wrong within seconds', async (t) => {
  const port = await listen(t);
  const { exitCode, seconds, part } = await check(t, {
    DATABASE_URL: `postgres://runward:pw@127.0.0.1:${port}/runward`,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'runward@example.com',
    CLAMAV_URL: `tcp://127.0.0.1:${port}`,
    REDIS_URL: `redis://127.0.0.1:${port}`,
    JOBS_URL: `mongodb://127.0.0.1:${port}/runward`,
    FILES_URL: `s3://files?endpoint=http://127.0.0.1:${port}&region=test`,
    ...bucketCredentials,
    BASE_URL: 'https://runward.example.com',
    OIDC_ISSUER: `http://127.0.0.1:${port}`,
    OIDC_CLIENT_ID: 'runward',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  });
  t.is(exitCode, 1);
  for (const name of [
    'database',
    'mail',
    'virus scanner',
    'rate limits',
    'jobs',
    'files',
    'traces',
    'single sign-on',
  ]) {
    t.regex(part(name) ?? '', /^wrong +[A-Z_]+: .+; /, name);
  }
  // Each part gets 5 s, one after the other they would take 40; the rest is the start of a process on a busy machine.
  t.true(seconds < 30, `${seconds} s`);
});

(hasClamd ? test : test.skip)('a virus scanner is named with its version', async (t) => {
  await using clamd = await prepareClamd();
  await clamd.start();
  const { part } = await check(t, { DATABASE_URL: await newDatabase(t), CLAMAV_URL: clamd.socketUrl });
  t.regex(part('virus scanner') ?? '', /^ok +ClamAV \d/);
});

(hasRedis ? test : test.skip)('a Redis for the rate limits is ok while it runs', async (t) => {
  await using redis = await startRedis();
  const { part } = await check(t, { DATABASE_URL: await newDatabase(t), REDIS_URL: redis.url });
  t.regex(part('rate limits') ?? '', /^ok +Redis responds$/);
});

test('the embedded database is checked while the service runs, and not started while it does not', async (t) => {
  const data = await newDataFolder({ initialized: true });
  t.teardown(() => data[Symbol.asyncDispose]());
  const env = { DATA_DIR: data.path, DATABASE_URL: 'embedded' };
  const stopped = await check(t, env);
  t.is(stopped.exitCode, 0, stopped.stdout);
  t.regex(stopped.part('database') ?? '', /^ok +embedded in .* and stopped, so what it contains was not checked/);

  const service = await startServiceFor(t, data.path);
  const running = await check(t, env);
  t.regex(running.part('database') ?? '', /^ok +embedded, PostgreSQL 18\.\d+, migrations up to date$/);
  service.child.kill('SIGTERM');
  t.is(await service.exited, 0);
});

test('with --json the findings are JSON for programs', async (t) => {
  const { exitCode, stdout } = await check(t, { DATABASE_URL: 'postgres://runward@127.0.0.1:1/runward' }, '--json');
  t.is(exitCode, 1);
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: { name: string; status: string }[] };
  t.false(ok);
  t.deepEqual(
    checks.map(({ name, status }) => `${name} ${status}`),
    [
      'settings OK',
      'database WRONG',
      'read replica OFF',
      'data folder OK',
      'files OK',
      'PDF OK',
      'jobs OFF',
      'rate limits OFF',
      'mail OFF',
      'virus scanner OFF',
      'traces OFF',
      'single sign-on OFF',
    ],
  );
});
