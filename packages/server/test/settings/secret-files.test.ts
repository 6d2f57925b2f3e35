import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ConfigError, readConfig } from '../../src/config.ts';
import { secretNames } from '../../src/environment.ts';

const url = 'postgres://runward:hunter2hunter2@db:5432/runward';

async function newFile(t: ExecutionContext, content: string | Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'runward-secrets-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'secret'), content);
  return join(folder, 'secret');
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}

test('the value of a secret is read from the file that the variable with _FILE names', async (t) => {
  const read = async (content: string) => readConfig({ DATABASE_URL_FILE: await newFile(t, content) }).databaseUrl;
  t.is(await read(url), url);
  t.is(await read(`${url}\n`), url);
  t.is(await read(`${url}\r\n`), url);
  t.is(await read(`\u{feff}${url}`), url);
  const padded = await newFile(t, ' pass word \n');
  const OIDC = { OIDC_A_ISSUER: 'https://a.example', OIDC_A_CLIENT_ID: 'id', BASE_URL: 'https://runward.example.com' };
  t.is(readConfig({ ...OIDC, OIDC_A_CLIENT_SECRET_FILE: padded }).signIn.providers[0]?.clientSecret, ' pass word ');
});

test('the URLs with passwords, the keys of the bucket and the secrets of clients are secrets, and nothing else is', (t) => {
  t.deepEqual(secretNames.toSorted(), [
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'DATABASE_READ_URL',
    'DATABASE_URL',
    'JOBS_URL',
    'METRICS_TOKEN',
    'OIDC_CLIENT_SECRET',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'REDIS_URL',
    'SMTP_URL',
    'TARGET_DATABASE_URL',
  ]);
});

test('the key of the bucket may be in the environment or in a file, and needs its id', async (t) => {
  const given = { FILES_URL: 's3://files', AWS_ACCESS_KEY_ID: 'id' };
  const key = { accessKeyId: 'id', secretAccessKey: 'abc' };
  t.is(readConfig({ FILES_URL: 's3://files' }).filesKey, undefined);
  t.deepEqual(readConfig({ ...given, AWS_SECRET_ACCESS_KEY: 'abc' }).filesKey, key);
  const AWS_SECRET_ACCESS_KEY_FILE = await newFile(t, 'abc\n');
  t.deepEqual(readConfig({ ...given, AWS_SECRET_ACCESS_KEY_FILE }).filesKey, key);
  t.deepEqual(readConfig({ ...given, AWS_SECRET_ACCESS_KEY_FILE, AWS_SESSION_TOKEN: 'x' }).filesKey, {
    ...key,
    sessionToken: 'x',
  });
  t.deepEqual(problemsOf({ FILES_URL: 's3://files', AWS_SECRET_ACCESS_KEY_FILE }), [
    'AWS_ACCESS_KEY_ID: must be set together with AWS_SECRET_ACCESS_KEY; give the id of that key',
  ]);
});

test('a secret that is set twice is rejected with both names', async (t) => {
  const DATABASE_URL_FILE = await newFile(t, url);
  t.deepEqual(problemsOf({ DATABASE_URL_FILE, DATABASE_URL: url }), [
    'DATABASE_URL_FILE: must not be set together with DATABASE_URL; unset one of them',
  ]);
});

test('a file that cannot be used is reported with its variable, its path and what to do, without its content', async (t) => {
  const path = await newFile(t, '');
  const folder = join(path, '..', 'folder');
  await mkdir(folder);
  const cases: [string, string][] = [
    [path, `${path} is empty; write the value of SMTP_URL into it, and nothing else`],
    [await newFile(t, '\n'), ' is empty; '],
    [folder, `${folder} is not a file; give the path of a file`],
    [`${path}.txt`, `${path}.txt does not exist; create the file, or correct its path`],
    [join(path, 'below'), ' cannot be read (ENOTDIR); let the user of the service read the file and enter its folders'],
    [await newFile(t, 'hunter2'.repeat(9_400)), ' has more than 64 kB; write the value of SMTP_URL into it'],
    [await newFile(t, 'hunter2\nhunter2\n'), ' has more than one line; write the value of SMTP_URL into it'],
    [await newFile(t, Uint8Array.of(104, 255, 104)), ' is not text in UTF-8; write the value of SMTP_URL into it'],
    ['smtps://user:hunter2@host', 'must be the absolute path of a file with the value of SMTP_URL'],
    ['', 'must be the absolute path of a file with the value of SMTP_URL'],
  ];
  for (const [SMTP_URL_FILE, message] of cases) {
    // The sender alone would be a problem if the server counted as missing.
    const problems = problemsOf({ SMTP_URL_FILE, MAIL_FROM: 'a@example.com' });
    t.is(problems.length, 1, problems.join('\n'));
    t.true(problems[0]?.startsWith('SMTP_URL_FILE: ') && problems[0].includes(message), problems[0]);
    t.false(problems[0]?.includes('hunter2'), problems[0]);
  }
});

const isRoot = process.getuid?.() === 0;
(isRoot ? test.skip : test)('a file that the user may not read is reported', async (t) => {
  const path = await newFile(t, url);
  await chmod(path, 0);
  t.deepEqual(problemsOf({ DATABASE_URL_FILE: path }), [
    `DATABASE_URL_FILE: ${path} cannot be read (EACCES); let the user of the service read the file and enter its folders`,
  ]);
});

test('an invalid value in a file is reported with the path of the file, without the value', async (t) => {
  const DATABASE_URL_FILE = await newFile(t, 'mysql://user:hunter2@host/name');
  t.deepEqual(problemsOf({ DATABASE_URL_FILE }), [
    `DATABASE_URL: must be a URL like postgres://user:password@host:5432/name, or embedded (read from ${DATABASE_URL_FILE})`,
  ]);
});

test('a misspelled variable with _FILE is rejected with the name that it resembles', (t) => {
  t.deepEqual(problemsOf({ DATABSE_URL_FILE: '/x' }), ['DATABSE_URL_FILE: unknown; did you mean DATABASE_URL_FILE?']);
  t.regex(problemsOf({ OIDC_ISSUER_FILE: '/x' })[0] ?? '', /^OIDC_ISSUER_FILE: unknown; a setting of a provider is/);
});
