import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { useApp } from '@runward/testing/app';
import { newDataFolder } from '@runward/testing/data-folder';
import { createDatabase } from '@runward/testing/database';
import { newOrganization } from '@runward/testing/organization';
import { freePort } from '@runward/testing/ports';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { Client, type ClientConfig } from 'pg';
import type { Finding } from '../../src/check/part.ts';
import { adminIn } from '../support/admin.ts';
import { query } from '../support/database/connect.ts';
import { openForm } from '../support/files.ts';

const app = useApp(test);

/** What doctor says about the installation of this file, with further variables. */
async function examined(env: Record<string, string> = {}, ...args: string[]) {
  const admin = adminIn({ DATABASE_URL: app.databaseUrl, DATA_DIR: dirname(app.filesFolder), ...env });
  const { code, stdout, stderr } = await admin.run(['doctor', '--json', ...args]);
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Finding[] };
  const part = (name: string) => checks.find((each) => each.name === name);
  return { code, stderr, ok, checks, part };
}

/** The number of rows of each table, and a hash of them and of the transactions that wrote or locked them. */
async function contents() {
  const tables = await app.provision.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' order by 1",
    [],
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    [found[name]] = await app.provision.query(
      `select count(*)::int as count, md5(string_agg(row::text || row.xmin || row.xmax, ',' order by row::text)) as hash from ${name} row`,
      [],
    );
  }
  return found;
}

test.serial('doctor names every part, with its result and one line, and changes neither rows nor files', async (t) => {
  const form = await openForm(app);
  await must(form.upload('papers', 'x'));
  await app.examiner.tick();
  const before = { rows: await contents(), files: await readdir(dirname(app.filesFolder), { recursive: true }) };
  const { checks, part } = await examined();
  t.deepEqual({ rows: await contents(), files: await readdir(dirname(app.filesFolder), { recursive: true }) }, before);

  t.deepEqual(
    checks.map(({ name }) => name),
    (
      'settings, database, read replica, data folder, files, PDF, jobs, rate limits, mail, virus scanner, traces, single sign-on, clock, ' +
      'PostgreSQL, replicas, disks, backlog, stored files, counters, activity, audit logs'
    ).split(', '),
  );
  for (const check of checks) t.deepEqual(Object.keys(check), ['name', 'status', 'message']);
  t.is(part('stored files')?.message, 'the files of 1 record are in place, and so are the records of 1 stored file');
  t.is(part('activity')?.message, 'the logs of 1 run are as they were written');
  t.is(part('counters')?.message, 'those of 1 organization agree with their runs');
  t.is(part('audit logs')?.message, 'the newest lines of 1 organization are as they were written');
  // The PostgreSQL of tests does not survive a power failure.
  t.regex(part('PostgreSQL')?.message ?? '', /^fsync is off, .*; set fsync to on, /);
  const others = checks.filter(({ name }) => name !== 'PostgreSQL' && name !== 'disks');
  t.deepEqual(
    others.filter(({ status }) => status === 'WRONG' || status === 'WARNING'),
    [],
  );
});

test.serial('lines are aligned, and the last line on stderr says how many parts are wrong', async (t) => {
  const { run } = adminIn({ DATABASE_URL: app.databaseUrl, DATA_DIR: dirname(app.filesFolder) });
  const { code, stdout, stderr } = await run(['doctor']);
  t.is(code, 1);
  t.regex(stdout, /^ok {5}settings {8}all are valid\nok {5}database {8}PostgreSQL \d/);
  t.regex(stdout, /\nwrong {2}PostgreSQL {6}fsync is off/);
  t.is(stderr, 'error: 1 of 21 checks found something wrong.\n');
  t.is((await run(['doctor', '--sample', '0'])).code, 2);
  t.is((await run(['doctor', '--sample', '1001'])).code, 2);
  t.is((await run(['doctor', 'all'])).code, 2);
});

test.serial(
  'a changed, a removed and an added line of an activity log are wrong, with the id of the run',
  async (t) => {
    const { api } = await newOrganization(app);
    const { templateId } = await publishProcess(api);
    const { id } = await launchRun(api, templateId);
    const [original] = await app.provision.query<{ data: string }>(
      'select data::text as data from activity where run_id = $1 and sequence = 1',
      [id],
    );
    const restore = () =>
      app.provision.query('update activity set data = $2::jsonb where run_id = $1 and sequence = 1', [
        id,
        original?.data,
      ]);
    await app.provision.query(
      `update activity set data = data || '{"name": "Forged"}' where run_id = $1 and sequence = 1`,
      [id],
    );
    const changed = await examined();
    t.is(changed.code, 1);
    t.false(changed.ok);
    t.is(changed.part('activity')?.status, 'WRONG');
    t.regex(changed.part('activity')?.message ?? '', new RegExp(`^run ${id}: Line 1 was changed: .*; find out who`));
    await restore();
    t.is((await examined()).part('activity')?.status, 'OK');

    await app.provision.query('update runs set activity_count = activity_count + 1 where id = $1', [id]);
    t.regex((await examined()).part('activity')?.message ?? '', new RegExp(`^run ${id}: Line \\d+ is missing`));
    await app.provision.query('update runs set activity_count = activity_count - 2 where id = $1', [id]);
    t.regex((await examined()).part('activity')?.message ?? '', new RegExp(`^run ${id}: Line \\d+ was inserted`));
    await app.provision.query('update runs set activity_count = activity_count + 1 where id = $1', [id]);
  },
);

test.serial('a changed line of an audit log is wrong, with the id of the organization', async (t) => {
  const { organizationId, session } = await newOrganization(app);
  await must((await session()).call('groups', 'create', { body: { name: 'Reviewers' } }));
  const change = (action: string) =>
    app.provision.query('update audit_lines set action = $2 where organization_id = $1 and sequence = 1', [
      organizationId,
      action,
    ]);
  const [original] = await app.provision.query<{ action: string }>(
    'select action from audit_lines where organization_id = $1 and sequence = 1',
    [organizationId],
  );
  await change('group.deleted');
  const { part } = await examined();
  t.is(part('audit logs')?.status, 'WRONG');
  t.regex(part('audit logs')?.message ?? '', new RegExp(`^organization ${organizationId}: Line 1 was changed`));
  await change(original?.action ?? '');
  t.is((await examined()).part('audit logs')?.status, 'OK');
});

test.serial('a counter that differs from its runs is wrong, with the id of the organization', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const { id } = await launchRun(api, templateId);
  await app.provision.query("update runs set status = 'COMPLETED' where id = $1", [id]);
  const { part } = await examined();
  t.is(part('counters')?.status, 'WRONG');
  t.regex(part('counters')?.message ?? '', new RegExp(`in the organizations ${organizationId}; correct them with`));
  await app.provision.query("update runs set status = 'RUNNING' where id = $1", [id]);
  t.is((await examined()).part('counters')?.status, 'OK');
});

test.serial('a file that is missing is wrong, with its key', async (t) => {
  const form = await openForm(app);
  await must(form.upload('papers', 'x'));
  await app.examiner.tick();
  const own = join(app.filesFolder, form.org.organizationId);
  await rm(own, { recursive: true });
  const { part } = await examined();
  t.is(part('stored files')?.status, 'WRONG');
  t.regex(
    part('stored files')?.message ?? '',
    new RegExp(`^1 of \\d files are missing: ${form.org.organizationId}/files/[^ ]+; restore them`),
  );
});

test.serial('a mail server that does not respond is wrong, and everything else is still checked', async (t) => {
  const port = await freePort();
  const { code, part } = await examined({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'runward@example.com' });
  t.is(code, 1);
  t.regex(part('mail')?.message ?? '', /^SMTP_URL: connect ECONNREFUSED .*; check its host/);
  t.is(part('activity')?.status, 'OK');
});

test.serial(
  'a user who owns nothing and may see no settings suffices, and the disk of the database is not shown',
  async (t) => {
    const role = `service_${Date.now()}`;
    await query(
      app.databaseUrl,
      `create role ${role} login password 'pw'; grant usage, create on schema public to ${role};
     grant select, insert, update, delete on all tables in schema public to ${role}`,
    );
    t.teardown(() => query(app.databaseUrl, `drop owned by ${role}; drop role ${role}`));
    const url = Object.assign(new URL(app.databaseUrl), { username: role, password: 'pw' });
    const { checks, part } = await examined({ DATABASE_URL: url.href });
    const wrong = checks.filter(({ status }) => status === 'WRONG').map(({ name }) => name);
    t.deepEqual(wrong, ['PostgreSQL', 'stored files']);
    t.is(part('replicas')?.message, 'none is attached');
    t.regex(part('disks')?.message ?? '', /, on a disk that is not visible from here/);
  },
);

test.serial('a replica that is attached is counted, and what its slot keeps is read after it has left', async (t) => {
  const slot = `replica_${Date.now()}`;
  await query(app.databaseUrl, `select pg_create_physical_replication_slot('${slot}', true)`);
  t.teardown(() => query(app.databaseUrl, `select pg_drop_replication_slot('${slot}')`));
  const replica = new Client({ connectionString: app.databaseUrl, replication: 'true' } as ClientConfig);
  replica.on('error', () => {});
  await replica.connect();
  const { rows } = await replica.query<{ xlogpos: string }>('IDENTIFY_SYSTEM');
  // It never ends.
  void replica.query(`START_REPLICATION SLOT ${slot} PHYSICAL ${rows[0]?.xlogpos}`).catch(() => {});
  const messageOnce = (pattern: RegExp) =>
    until(async () => {
      const { message = '' } = (await examined()).part('replicas') ?? {};
      return pattern.test(message) && message;
    }, `${pattern}`);
  t.is(await messageOnce(/attached, /), '1 attached, at most 0 s behind');
  await replica.end();
  t.is(await messageOnce(/^none/), 'none is attached');
});

test.serial('a database that cannot be opened is wrong, and its data is not read', async (t) => {
  const { code, part } = await examined({
    DATABASE_URL: `postgres://runward:pw@127.0.0.1:${await freePort()}/runward`,
  });
  t.is(code, 1);
  t.regex(part('database')?.message ?? '', /^DATABASE_URL: connect ECONNREFUSED/);
  t.is(part('data')?.status, 'WRONG');
  t.regex(part('data')?.message ?? '', /ECONNREFUSED.*; nothing was read/);
});

test.serial(
  'a database of another version ends with 78, and one that lacks migrations is only a warning',
  async (t) => {
    const { url, drop } = await createDatabase();
    t.teardown(drop);
    await query(url, `delete from migrations where name > '0015'`);
    const older = await examined({ DATABASE_URL: url });
    t.is(older.code, 0, older.stderr);
    t.is(older.part('data')?.status, 'WARNING');
    t.regex(
      older.part('data')?.message ?? '',
      /^not read, because the database lacks \d+ migrations; run "runward-admin/,
    );
    t.is((await examined({ DATABASE_URL: url }, '--strict')).code, 1);
    t.is((await examined({ DATABASE_URL: url, MIGRATE_ON_START: 'false' })).code, 78);

    await query(url, `insert into migrations (name) values ('9999-future')`);
    const newer = await examined({ DATABASE_URL: url });
    t.is(newer.code, 78);
    t.regex(newer.part('database')?.message ?? '', /the database is newer than this program/);
  },
);

test.serial('wrong settings end with 78, and nothing else is checked', async (t) => {
  const { code, checks } = await examined({ PORT: 'abc' });
  t.is(code, 78);
  t.deepEqual(checks, [{ name: 'settings', status: 'WRONG', message: checks[0]?.message ?? '' }]);
});

test.serial('an embedded database that was never started is not created', async (t) => {
  await using folder = await newDataFolder();
  const { run } = adminIn({ DATA_DIR: folder.path });
  const { code, stdout } = await run(['doctor']);
  t.is(code, 0);
  t.regex(stdout, /\nok {5}database .* the first start of the service creates it in /);
  t.deepEqual(await readdir(folder.path), []);
});
