import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDataFolder } from '@runward/testing/data-folder';
import { createDatabase } from '@runward/testing/database';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startService, type ServiceProcess } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { ensureDatabase, startEmbeddedPostgres } from '../src/database/embedded/postgres.ts';
import { directUpload } from './support/files.ts';

/** A file system of its own that can be filled and emptied again; null if this system refuses to mount one. */
function smallDisk(t: ExecutionContext, megabytes: number) {
  const path = mkdtempSync(join(tmpdir(), 'runward-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return null;
  }
  // Started by root, PostgreSQL runs as another user, which must be able to enter the folder.
  chmodSync(path, 0o711);
  t.teardown(() => {
    execFileSync('umount', ['--lazy', path]);
    rmSync(path, { recursive: true });
  });
  const filler = join(path, 'filler');
  const fill = (leave = 0) => {
    for (const bytes of [1_048_576, 4_096]) {
      while (statfsSync(path).bavail * 4_096 >= leave + bytes) appendFileSync(filler, Buffer.alloc(bytes));
    }
  };
  return { path, fill, empty: () => rmSync(filler) };
}

async function start(t: ExecutionContext, dataDir: string, databaseUrl: string) {
  const service = await startService(dataDir, { DATABASE_URL: databaseUrl, RATE_LIMIT_WRITES_PER_MINUTE: '10000' });
  t.teardown(async () => {
    service.child.kill('SIGKILL');
    await service.exited;
  });
  await service.ready();
  return service;
}

async function readinessOf({ baseUrl }: ServiceProcess): Promise<string> {
  const response = await fetch(`${baseUrl}/health/ready`);
  return `${response.status} ${((await response.json()) as { message?: string }).message ?? ''}`;
}

const noSpace = 'The service has no disk space left; nothing was changed. Its operator has to free some.';

test.serial('uploads leave 5 % of a disk; on a full one they and PDFs are 507 and leave nothing', async (t) => {
  const disk = smallDisk(t, 64);
  if (disk === null) return t.pass('skipped: this system mounts no file system for this user');
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const service = await start(t, disk.path, url);
  const api = service.api();
  const field = { key: 'papers', label: 'Papers', type: 'FILE_UPLOAD' as const };
  const { templateId, fields } = await publishProcess(api, [{ title: 'Form', fields: [field] }]);
  const { id: runId, byTitle } = await launchRun(api, templateId);
  const { id: entryId } = await must(api.call('execution', 'open', { body: { runTaskId: byTitle('Form').runTaskId } }));
  const fieldId = fields['papers']?.id ?? '';
  const content = Buffer.alloc(500_000, 'x');
  const attempts = {
    direct: () => directUpload(api, { entryId, fieldId }, content),
    announced: async () => {
      const about = { fileName: 'a.txt', contentType: 'text/plain', size: content.length };
      const body = { executionEntryId: entryId, runTaskFieldId: fieldId, ...about };
      const { uploadUrl, headers } = await must(api.call('files', 'uploadUrl', { body }));
      const response = await fetch(uploadUrl, { method: 'PUT', headers, body: content });
      return { status: response.status, error: (await response.json().catch(() => ({}))) as { message?: unknown } };
    },
    pdf: () => api.call('runs', 'exportRunPdf', { params: { id: runId } }),
  };
  const files = () => readdirSync(disk.path, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());

  disk.fill(3_000_000);
  const uploaded = await Promise.all([attempts.direct(), attempts.announced()]);
  t.deepEqual(
    uploaded.map(({ status, error }) => [status, error.message]),
    [
      [507, noSpace],
      [507, noSpace],
    ],
  );
  t.is(await readinessOf(service), '200 ');
  t.is((await attempts.pdf()).status, 200);

  disk.fill();
  t.is(await readinessOf(service), '503 Not ready: the disk of DATA_DIR is full.');
  const before = files().length;
  for (const [name, attempt] of Object.entries(attempts)) {
    const began = performance.now();
    const { status, error } = await attempt();
    t.deepEqual([name, status, error.message], [name, 507, noSpace]);
    t.true(performance.now() - began < 15_000, name);
  }
  t.is(files().length, before);
  t.is((await api.call('runs', 'get', { params: { id: runId } })).status, 200);

  disk.empty();
  t.is(await readinessOf(service), '200 ');
  for (const attempt of Object.values(attempts)) t.true((await attempt()).status < 300);
  t.is(service.child.exitCode, null);
});

test.serial('while the disk of PostgreSQL is full, writes are 507, reads work, and readiness follows', async (t) => {
  const disk = smallDisk(t, 128);
  if (disk === null) return t.pass('skipped: this system mounts no file system for this user');
  const postgres = await startEmbeddedPostgres({ dataDir: disk.path, durable: false });
  t.teardown(() => postgres.stop());
  await ensureDatabase(postgres.url('runward'));
  const folder = await newDataFolder();
  t.teardown(() => folder[Symbol.asyncDispose]());
  const service = await start(t, folder.path, postgres.url('runward'));
  const api = service.api();
  const create = () => api.call('templates', 'create', { body: { name: 'x', description: 'y'.repeat(1_900) } });
  await must(create());

  disk.fill();
  let created = 1;
  const rejected = await until(async () => {
    const response = await create();
    if (response.status !== 201) return response;
    created += 1;
    return undefined;
  }, 'a write to need space');
  t.deepEqual([rejected.status, rejected.error.message], [507, noSpace]);
  t.is(await readinessOf(service), '503 Not ready: the disk of the database is full.');
  t.is((await must(api.call('templates', 'list'))).total, created);

  disk.empty();
  t.is(await readinessOf(service), '200 ');
  t.is((await create()).status, 201);
  t.is((await must(api.call('templates', 'list'))).total, created + 1);
  t.is(service.child.exitCode, null);
});
