import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyChain } from '@runward/engine';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import { ensureDatabase } from '@runward/server/internal/database/embedded/postgres';
import { readActivity } from '@runward/testing/activity';
import type { Api } from '@runward/testing/api';
import { newDataFolder } from '@runward/testing/data-folder';
import {
  account,
  findReplicationPrograms,
  startPostgresOn,
  startPostgresServer,
} from '@runward/testing/postgres/server';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startProgram } from '@runward/testing/program';
import { startServiceFor, type ServiceProcess } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { textOf } from './guides/blocks.ts';

const page = 'docs/guides/point-in-time.md';
const binaries = findReplicationPrograms();
if (binaries === null)
  console.error('No PostgreSQL with pg_basebackup is installed: the test of point-in-time.md is skipped.');
const withPrograms = binaries === null ? test.skip : test;

withPrograms(
  'a service is recovered to a point in time as the guide says: what was before is there, what came after is not',
  async (t) => {
    const backups = mkdtempSync(join(tmpdir(), 'runward-backups-'));
    t.teardown(() => rmSync(backups, { recursive: true, force: true }));
    for (const folder of ['wal', 'base', 'files']) mkdirSync(join(backups, folder));
    for (const path of [backups, join(backups, 'wal'), join(backups, 'base')]) giveAway(path);
    const { path: dataDir } = await newDataFolder();
    t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
    const here = (text: string) => text.replaceAll('/backups', backups);

    const settings = Object.fromEntries(
      [...here(textOf(page, '# postgresql.conf')).matchAll(/^(\w+) = (?:'(.*)'|(.*))$/gm)].map(
        ([, name = '', quoted, plain = '']) => [name, quoted ?? plain],
      ),
    );
    t.deepEqual(Object.keys(settings), ['archive_mode', 'archive_timeout', 'archive_command']);
    const source = await startPostgresServer({ binaries: binaries ?? '', settings });
    const DATABASE_URL = source.url('runward');
    await ensureDatabase(DATABASE_URL);
    const service = await start(t, dataDir, DATABASE_URL);
    const api = service.api();
    const before = await write(api, 'Before the base backup');
    sh(here(textOf(page, 'pg_basebackup')), { DATABASE_URL }, account);

    const kept = await write(api, 'After the base backup');
    sh(here(textOf(page, 'cp -Rpn "$DATA_DIR')), { DATA_DIR: dataDir });
    const point = await timeOf(DATABASE_URL);
    const lost = await write(api, 'After the point in time');
    await must(api.call('files', 'delete', { params: { id: kept.fileId } }));
    await query(DATABASE_URL, 'truncate runs cascade');
    service.child.kill('SIGTERM');
    await service.exited;
    // Archives the end of the log.
    await source.stop();

    const recovered = await startPostgresOn(
      (data) => {
        const text = here(textOf(page, 'cp -Rp /backups/base'))
          .replaceAll('/var/lib/postgresql/recovered', data)
          .replace('2030-01-31 09:30:00+00', point);
        t.true(text.includes(point));
        sh(text, {}, account);
      },
      { binaries: binaries ?? '', settings },
    );
    t.teardown(() => recovered.stop());
    const url = recovered.url('runward');
    const isPromoted = async () =>
      (await query<{ is: boolean }>(url, 'select pg_is_in_recovery() as is'))[0]?.is === false;
    await until(isPromoted, 'the end of the recovery');
    sh(here(textOf(page, 'cp -Rpn /backups')), { DATA_DIR: dataDir });
    for (const line of textOf(page, 'runward-admin doctor').trim().split('\n')) {
      const program = startProgram('packages/server/src/admin/main.ts', line.split(' ').slice(1), {
        env: { DATABASE_URL: url, DATA_DIR: dataDir },
      });
      await program.ended;
      t.notRegex(program.output(), /^wrong +(?:activity|audit logs|counters|stored files)/m, line);
      if (line.includes('files check')) t.regex(program.output(), /^0 rows without bytes\n1 bytes without rows/);
    }

    const after = (await start(t, dataDir, url)).api();
    const { data } = await must(after.call('runs', 'list'));

    t.deepEqual(data.map(({ title }) => title).toSorted(), ['After the base backup', 'Before the base backup']);
    t.false(data.some(({ id }) => id === lost.runId));
    for (const { runId, fileId } of [before, kept]) {
      const { lines, head } = await readActivity(after, runId);
      t.is(verifyChain(lines, head), null);
      const download = await must(after.call('files', 'downloadUrl', { params: { id: fileId } }));
      t.regex(await (await fetch(download.url)).text(), /^papers of /);
    }
    t.is((await after.call('files', 'downloadUrl', { params: { id: lost.fileId } })).status, 404);
    await write(after, 'After the recovery');
  },
);

/** Launches a run and attaches a file. */
async function write(api: Api, title: string): Promise<{ readonly runId: string; readonly fileId: string }> {
  const field = { key: 'papers', label: 'Papers', type: 'FILE_UPLOAD' } as const;
  const { templateId, fields } = await publishProcess(api, [{ title: 'Form', fields: [field] }], { name: title });
  const { id: runId, byTitle } = await launchRun(api, templateId, { title });
  const { id } = await must(api.call('execution', 'open', { body: { runTaskId: byTitle('Form').runTaskId } }));
  const file = new File([`papers of ${title}`], 'papers.txt', { type: 'text/plain' });
  const body = { executionEntryId: id, runTaskFieldId: fields['papers']?.id ?? '', file };
  const { id: fileId } = await must(api.call('files', 'directUpload', { body }));
  return { runId, fileId };
}

async function start(t: ExecutionContext, dataDir: string, url: string): Promise<ServiceProcess> {
  const service = await startServiceFor(t, dataDir, { DATABASE_URL: url });
  return service;
}

/** Runs a block of the page, with the programs of PostgreSQL in `PATH`. */
function sh(block: string, env: Record<string, string>, user: { readonly uid?: number; readonly gid?: number } = {}) {
  if (block === '') throw new Error('The page has no such block.');
  const PATH = `${binaries}:${process.env['PATH']}`;
  execFileSync('sh', ['-ec', block], { ...user, cwd: '/', env: { PATH, ...env } });
}

/** Makes a folder that of the user as whom PostgreSQL runs. */
function giveAway(path: string): void {
  if (account.uid !== undefined) chownSync(path, account.uid, account.gid);
}

/** The time of a database, between two of its changes. */
async function timeOf(url: string): Promise<string> {
  await pause(1_000);
  const [now] = await query<{ text: string }>(url, 'select clock_timestamp()::text as text');
  await pause(1_000);
  return now?.text ?? '';
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  return withClient(url, async (client) => (await client.query<Row>(text)).rows);
}
