import test from 'ava';
import { ConfigError, readConfig } from '../src/config.ts';

test('an empty environment gives the documented defaults', (t) => {
  t.like(readConfig({}), {
    host: '127.0.0.1',
    port: 3000,
    writesPerMinute: 300,
    readsPerMinute: 1500,
    webhookAllowLocal: false,
    timeZone: 'UTC',
    databasePoolSize: 10,
    webhookRetrySchedule: [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000],
  });
});

test('a replica is in the same schema as its primary, and needs one that is not embedded', (t) => {
  const given = { DATABASE_URL: 'postgres://a@one/b', DATABASE_READ_URL: 'postgres://a@two/b' };
  t.is(readConfig({ DATABASE_URL: given.DATABASE_URL }).databaseReadUrl, undefined);
  t.is(readConfig(given).databaseReadUrl, given.DATABASE_READ_URL);
  t.is(
    readConfig({ ...given, DATABASE_SCHEMA: 'cell' }).databaseReadUrl,
    'postgres://a@two/b?options=-c%20search_path%3Dcell',
  );
  for (const DATABASE_URL of [undefined, 'embedded']) {
    const error = t.throws(() => readConfig({ ...given, DATABASE_URL }), { instanceOf: ConfigError });
    t.regex(error?.message ?? '', /DATABASE_READ_URL: must not be set with the embedded database/);
  }
  const error = t.throws(() => readConfig({ ...given, DATABASE_READ_URL: 'replica:5432' }), {
    instanceOf: ConfigError,
  });
  t.regex(error?.message ?? '', /DATABASE_READ_URL: must be a URL like postgres/);
});

test('all invalid variables are reported together, by name', (t) => {
  const error = t.throws(
    () =>
      readConfig({
        PORT: '99999',
        DATABASE_URL: 'mysql://x',
        WEBHOOK_RETRY_SCHEDULE: '5 minutes',
        LOG_LEVEL: 'loud',
        DATADIR: '/srv',
      }),
    { instanceOf: ConfigError },
  );
  for (const name of ['PORT', 'DATABASE_URL', 'WEBHOOK_RETRY_SCHEDULE', 'LOG_LEVEL']) {
    t.true(error?.message.includes(`${name}: must be`) || error?.message.includes(`${name}: `), error?.message);
  }
  t.true(error?.message.endsWith('\n  DATADIR: unknown; did you mean DATA_DIR?'), error?.message);
});

test('an empty value is rejected as a number, as an address and as a folder, with what to do', (t) => {
  const names = ['PORT', 'MAIL_DELAY_SECONDS', 'LIMIT_STREAMS', 'HOST', 'DATA_DIR', 'FONTS_DIR'];
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  const error = t.throws(() => readConfig(empty), { instanceOf: ConfigError });
  t.deepEqual(error?.problems, [
    'DATA_DIR: must not be empty; give a value, or remove the variable',
    'HOST: must not be empty; give a value, or remove the variable',
    'PORT: must be a whole number from 0 to 65535',
    'FONTS_DIR: must not be empty; give a value, or remove the variable',
    'MAIL_DELAY_SECONDS: must be a whole number from 0 to 3600',
    'LIMIT_STREAMS: must be a whole number from 1 to 1000000000',
  ]);
  for (const PORT of ['0x10', '1e3', '3000.5', '-1', ' ']) {
    t.throws(() => readConfig({ PORT }), { message: /PORT: must be a whole number/ }, PORT);
  }
});

test('paths can be added to BASE_URL', (t) => {
  t.is(readConfig({ BASE_URL: 'https://example.com/runward/' }).baseUrl, 'https://example.com/runward');
  for (const BASE_URL of ['https://example.com/?a=b', 'https://example.com#a', 'https://user:word@example.com']) {
    t.throws(() => readConfig({ BASE_URL }), { message: /BASE_URL: must be a URL without a user and a query/ });
  }
});

test('a variable whose name differs from one of ours by at most two letters is rejected with that name', (t) => {
  for (const [name, meant] of [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABSAE_URL', 'DATABASE_URL'],
    ['NODE_ENVV', 'NODE_ENV'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['RATE_LIMIT_WRITE_PER_MINUT', 'RATE_LIMIT_WRITES_PER_MINUTE'],
  ] as const) {
    const message = `Invalid environment variables; correct them and start again:\n  ${name}: unknown; did you mean ${meant}?`;
    t.throws(() => readConfig({ [name]: 'x' }), { message });
  }
});

test('mail needs both a server and a sender, and a sender is one address, with or without a name', (t) => {
  const url = 'smtps://user:password@mail.example.com';
  const from = (MAIL_FROM: string) => readConfig({ SMTP_URL: url, MAIL_FROM }).mail?.from;
  t.is(readConfig({}).mail, undefined);
  t.deepEqual(from('a@example.com'), { name: '', address: 'a@example.com' });
  t.is(readConfig({ SMTP_URL: url, MAIL_FROM: 'a@example.com' }).mail?.delaySeconds, 120);
  t.deepEqual(from('"Acme, Ltd" <a@example.com>'), { name: 'Acme, Ltd', address: 'a@example.com' });
  for (const text of [
    'Acme',
    'a@example.com, b@example.com',
    'Acme <a@example.com>\r\nBcc: b@example.com',
    '<a b@example.com>',
  ])
    t.throws(() => from(text), { message: /MAIL_FROM: must be an email address like/ }, text);
  for (const env of [{ SMTP_URL: url }, { MAIL_FROM: 'a@example.com' }])
    t.throws(() => readConfig(env), { message: /SMTP_URL: must be set together with MAIL_FROM/ });
  t.throws(() => readConfig({ MAIL_DELAY_SECONDS: '3601' }), { message: /MAIL_DELAY_SECONDS: must be/ });
  t.throws(() => readConfig({ SMTP_URL: 'https://mail.example.com', MAIL_FROM: 'a@example.com' }), {
    message: /SMTP_URL: must be a URL like smtps/,
  });
});

test('variables of other programs are accepted although their names resemble ours', (t) => {
  const short = ['HOSTS', 'ROLES', 'PORTS', 'SPORT', 'XPORT', 'TZDIR', 'TZ1', 'HOME', 'PATH', 'SHELL', 'USER', 'PWD'];
  const known = [
    'JOB_URL',
    'POSTGRESQL_PORT',
    'POSTGRES_HOST',
    'NODE_PATH',
    'TRUST_PROXIES',
    'POSTGRES_PASSWORD',
    'RUNWARD_BASE_URL',
  ];
  for (const name of [...short, ...known]) t.notThrows(() => readConfig({ [name]: 'x' }), name);
});

test('in production the embedded database needs DATABASE_URL=embedded; otherwise it is the default', (t) => {
  const NODE_ENV = 'production';
  t.throws(() => readConfig({ NODE_ENV }), {
    instanceOf: ConfigError,
    message:
      /DATABASE_URL: must be set with NODE_ENV=production, to the URL of a PostgreSQL, or to embedded to use the PostgreSQL of @runward\/embedded-postgres$/m,
  });
  const embedded = { databaseUrl: undefined, rateLimitStore: 'memory', postgresPort: 5433 } as const;
  const POSTGRES_PORT = '5433';
  t.like(readConfig({ NODE_ENV, DATABASE_URL: 'embedded', POSTGRES_PORT }), embedded);
  t.like(readConfig({ DATABASE_URL: 'embedded', POSTGRES_PORT }), embedded);
  t.like(readConfig({ POSTGRES_PORT }), embedded);
  t.is(readConfig({ NODE_ENV, DATABASE_URL: 'postgres://a@b/c' }).databaseUrl, 'postgres://a@b/c');
});

test('an unknown NODE_ENV is rejected, because it would count as development', (t) => {
  for (const NODE_ENV of ['prod', 'Production', 'staging']) {
    t.throws(
      () => readConfig({ NODE_ENV }),
      { message: /NODE_ENV: must be production, development or test$/m },
      NODE_ENV,
    );
  }
  t.true(readConfig({ NODE_ENV: 'production', DATABASE_URL: 'embedded' }).production);
  t.false(readConfig({ NODE_ENV: 'test' }).production);
});

test('webhooks to loopback addresses are rejected in production', (t) => {
  t.throws(() => readConfig({ NODE_ENV: 'production', WEBHOOK_ALLOW_LOCAL: 'true' }), {
    message: /WEBHOOK_ALLOW_LOCAL: must not be true with NODE_ENV=production/,
  });
  t.true(readConfig({ WEBHOOK_ALLOW_LOCAL: 'true' }).webhookAllowLocal);
});

test('TRUST_PROXY is a number of proxies or a list of their addresses; true is rejected with the remedy', (t) => {
  t.is(readConfig({}).trustedProxies, 0);
  t.is(readConfig({ TRUST_PROXY: '2' }).trustedProxies, 2);
  t.like(readConfig({ TRUST_PROXY: '10.0.0.0/8,::1' }).trustedProxies, { length: 2 });
  for (const TRUST_PROXY of ['true', 'false', '', '0.0.0.0/0', 'nginx']) {
    t.throws(() => readConfig({ TRUST_PROXY }), {
      message:
        /TRUST_PROXY: must be the number of proxies in front of the service, like 1, or a list of their addresses/,
    });
  }
});

test('the port of the embedded database cannot be set for another one', (t) => {
  t.is(readConfig({ POSTGRES_PORT: '5433' }).postgresPort, 5433);
  const ofKubernetes = { POSTGRES_PORT: 'tcp://10.0.0.1:5432', DATABASE_URL: 'postgres://x:y@db/z' };
  t.is(readConfig(ofKubernetes).postgresPort, undefined);
  t.is(readConfig({}).postgresPort, undefined);
  t.throws(() => readConfig({ POSTGRES_PORT: '5433', DATABASE_URL: 'postgres://x:y@db/z' }), {
    message: /POSTGRES_PORT: must not be set together with the URL of a database/,
  });
});

test('DATABASE_URL may name a Unix socket, as a parameter or as the host', (t) => {
  for (const DATABASE_URL of [
    'postgres://me@localhost/flow?host=/run/postgresql',
    'postgres://me@%2Frun%2Fpostgresql/flow',
  ]) {
    t.is(readConfig({ DATABASE_URL }).databaseUrl, DATABASE_URL);
  }
});

test('the URL of a database needs its name', (t) => {
  for (const DATABASE_URL of ['postgres://me@localhost', 'postgres://me@localhost:5432/']) {
    const error = t.throws(() => readConfig({ DATABASE_URL, DATABASE_READ_URL: DATABASE_URL }));
    const problem = 'must be a URL like postgres://user:password';
    t.true(error?.message.includes(`\n  DATABASE_URL: ${problem}@host:5432/name`), error?.message);
    t.true(error?.message.includes(`\n  DATABASE_READ_URL: ${problem}@replica:5432/name`), error?.message);
  }
});

test('a process with the role api or worker requires DATABASE_URL', (t) => {
  for (const env of [{ ROLE: 'worker' }, { ROLE: 'api', DATABASE_URL: 'embedded' }]) {
    t.throws(() => readConfig(env), { message: /ROLE: must be all with the embedded database.*set DATABASE_URL to/ });
  }
  t.throws(() => readConfig({ ROLE: 'both' }), { message: /ROLE: must be all, api, worker/ });
  t.is(readConfig({ ROLE: 'worker', DATABASE_URL: 'postgres://a@b/c' }).role, 'worker');
  t.is(readConfig({}).role, 'all');
});

test('the rate limit store is the configured one, or follows from REDIS_URL and DATABASE_URL', (t) => {
  const DATABASE_URL = 'postgres://user:password@host/name';
  const REDIS_URL = 'redis://host:6379';
  t.is(readConfig({}).rateLimitStore, 'memory');
  t.is(readConfig({ DATABASE_URL }).rateLimitStore, 'postgres');
  t.like(readConfig({ DATABASE_URL, REDIS_URL }), { rateLimitStore: 'redis', redisUrl: REDIS_URL });
  t.is(readConfig({ DATABASE_URL, REDIS_URL, RATE_LIMIT_STORE: 'postgres' }).rateLimitStore, 'postgres');
  t.is(
    readConfig({ REDIS_URL: 'rediss://user:password@host:6379/2', RATE_LIMIT_STORE: 'redis' }).rateLimitStore,
    'redis',
  );
  t.throws(() => readConfig({ DATABASE_URL, RATE_LIMIT_STORE: 'redis' }), {
    message: /REDIS_URL: must be set with RATE_LIMIT_STORE=redis/,
  });
  t.throws(() => readConfig({ REDIS_URL: 'http://host' }), { message: /REDIS_URL: must be a URL like redis:/ });
  t.throws(() => readConfig({ RATE_LIMIT_STORE: 'disk' }), {
    message: /RATE_LIMIT_STORE: must be memory, postgres or/,
  });
});

test('files are stored in DATA_DIR or a bucket, and are scanned by the daemon of CLAMAV_URL', (t) => {
  t.is(readConfig({}).filesUrl, undefined);
  for (const url of ['s3://files', 's3://my.files?endpoint=https://s3.example.com:9000&region=eu-west-1']) {
    t.is(readConfig({ FILES_URL: url }).filesUrl, url);
  }
  for (const url of [
    'files',
    's3://',
    's3://Files',
    's3://files/folder',
    's3://files?endpoint=x',
    's3://files?key=x',
  ]) {
    t.throws(() => readConfig({ FILES_URL: url }), { message: /FILES_URL: must be a URL like s3:/ }, url);
  }
  for (const url of ['tcp://127.0.0.1:3310', 'tcp://[::1]:3310', 'tcp://clamd', 'unix:///run/clamav/clamd.ctl']) {
    t.is(readConfig({ CLAMAV_URL: url }).clamavUrl, url);
  }
  for (const url of ['127.0.0.1:3310', 'http://clamd', 'unix://clamd', 'tcp://']) {
    t.throws(() => readConfig({ CLAMAV_URL: url }), { message: /CLAMAV_URL: must be a URL like tcp:/ }, url);
  }
});

test('jobs are stored in PostgreSQL, or in the MongoDB of JOBS_URL', (t) => {
  t.is(readConfig({}).jobsUrl, undefined);
  for (const url of ['mongodb://one:27017,two:27017/jobs?replicaSet=a', 'mongodb+srv://me:pw@cluster.example/']) {
    t.is(readConfig({ JOBS_URL: url }).jobsUrl, url);
  }
  for (const url of ['redis://host', 'postgres://host/name', 'mongodb://', 'host:27017', '']) {
    t.throws(() => readConfig({ JOBS_URL: url }), { message: /JOBS_URL: must be a URL like mongodb:/ }, url);
  }
});

test('an organization leaves connections to others, however few there are', (t) => {
  const inWork = (env: Record<string, string>) =>
    readConfig({ DATABASE_URL: 'embedded', ...env }).limits.requestsInWork;
  t.is(inWork({}), 8);
  t.is(inWork({ LIMIT_REQUESTS_IN_WORK: '3' }), 3);
  t.is(inWork({ DATABASE_POOL_SIZE: '4' }), 2);
  t.is(inWork({ DATABASE_POOL_SIZE: '2' }), 1);
  t.is(inWork({ DATABASE_POOL_SIZE: '40', LIMIT_REQUESTS_IN_WORK: '50' }), 38);
});
