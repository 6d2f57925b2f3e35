import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { verifyChain } from '@runward/engine';
import { readActivity } from '@runward/testing/activity';
import { apiOf } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { createDatabase } from '@runward/testing/database';
import { must } from '@runward/testing/process';
import { startCommand } from '@runward/testing/program';
import { startServiceFor } from '@runward/testing/service';
import test, { type ExecutionContext } from 'ava';
import { adminIn } from './support/admin.ts';
import { openForm } from './support/files.ts';

const app = useApp(test);

// pg_dump dumps no database of a server that is newer than itself.
const canDump = spawnSync('pg_dump', ['--schema-only', process.env['TEST_DATABASE_URL'] ?? '']).status === 0;
const withDump = canDump ? test : test.skip;

withDump(
  'a backup of a running service, restored elsewhere, has its runs, its files and their verifiable activity',
  async (t) => {
    const form = await openForm(app);
    const file = await must(form.upload('papers', 'the signed contract', 'contract.txt'));
    await app.examiner.tick();
    const before = await readActivity(form.api, form.runId);

    const folder = await mkdtemp(join(tmpdir(), 'runward-backup-'));
    const { url, drop } = await createDatabase({ empty: true });
    t.teardown(() => rm(folder, { recursive: true }));
    t.teardown(drop);
    const [backup, dataDir] = [join(folder, 'backup'), join(folder, 'data')];
    const sh = async (script: string, env: Record<string, string>) => {
      const program = startCommand('sh', [`deploy/${script}`, backup], { env });
      return { code: await program.ended, output: program.output() };
    };
    const DATABASE_URL_FILE = join(folder, 'database-url');
    await writeFile(DATABASE_URL_FILE, `${app.databaseUrl}\n`);
    const source = { DATABASE_URL_FILE, DATA_DIR: dirname(app.filesFolder) };
    const twice = await sh('backup.sh', { ...source, DATABASE_URL: url });
    t.is(twice.code, 1);
    t.regex(twice.output, /DATABASE_URL and DATABASE_URL_FILE are both set/);
    const backedUp = await sh('backup.sh', source);
    t.is(backedUp.code, 0, backedUp.output);
    const restored = await sh('restore.sh', { DATABASE_URL: url, DATA_DIR: dataDir });
    t.is(restored.code, 0, restored.output);
    t.is((await sh('restore.sh', { DATABASE_URL: url, DATA_DIR: dataDir })).code, 1, 'there are files');
    t.is((await sh('restore.sh', { DATABASE_URL: url, DATA_DIR: join(folder, 'other') })).code, 1, 'there are tables');

    const service = await startServiceFor(t, dataDir, { DATABASE_URL: url });
    const api = apiOf(service.baseUrl, form.org.apiKey);
    const checked = await adminIn({ DATABASE_URL: url, DATA_DIR: dataDir }).run(['files', 'check', '--recent']);
    t.is(checked.code, 0, checked.stdout + checked.stderr);
    const after = await readActivity(api, form.runId);
    t.deepEqual(after, before);
    t.is(verifyChain(after.lines, after.head), null);
    const download = await must(api.call('files', 'downloadUrl', { params: { id: file.id } }));
    t.is(await (await fetch(download.url)).text(), 'the signed contract');

    const { runTaskId: taskId } = form;
    await must(api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));
    const { lines, head } = await readActivity(api, form.runId);
    t.true(lines.length > before.lines.length);
    t.is(verifyChain(lines, head), null, 'the chain continues');
  },
);

const owner = ['--owner-email', 'ada@cell.example'];

/** The URLs of two empty databases, and a folder whose part `backup` a script writes or reads. */
async function newScene(t: ExecutionContext) {
  const [source, target] = [await createDatabase({ empty: true }), await createDatabase({ empty: true })];
  const folder = await mkdtemp(join(tmpdir(), 'runward-backup-'));
  t.teardown(() => Promise.all([source.drop(), target.drop(), rm(folder, { recursive: true })]));
  const sh = async (script: 'backup.sh' | 'restore.sh', env: Record<string, string>) => {
    const program = startCommand('sh', [`deploy/${script}`, join(folder, 'backup')], { env });
    return { code: await program.ended, output: program.output() };
  };
  return { source: source.url, target: target.url, folder, sh };
}

withDump('a backup or a restore that failed has changed nothing and can be repeated', async (t) => {
  const { source, target, folder, sh } = await newScene(t);
  await adminIn({ DATABASE_URL: source }).json(['organization', 'create', '--name', 'A', ...owner]);
  const [backup, restored, dataDir] = [join(folder, 'backup'), join(folder, 'restored'), join(folder, 'data')];
  await mkdir(join(dataDir, 'files'), { recursive: true });
  await writeFile(join(dataDir, 'files', 'large'), Buffer.alloc(100_000));
  const failed = await sh('backup.sh', { DATABASE_URL: 'postgres://127.0.0.1:1/none', DATA_DIR: dataDir });
  t.not(failed.code, 0);
  const nowhere = await sh('backup.sh', { DATABASE_URL: source, DATA_DIR: restored });
  t.is(nowhere.code, 1);
  t.regex(nowhere.output, /restored\/files does not exist; correct DATA_DIR/);
  t.false(existsSync(backup));
  const backedUp = await sh('backup.sh', { DATABASE_URL: source, DATA_DIR: dataDir });
  t.is(backedUp.code, 0, backedUp.output);

  const archive = join(backup, 'files.tar');
  const { size } = await stat(archive);
  const files = await readFile(archive);
  await truncate(archive, size / 2);
  t.not((await sh('restore.sh', { DATABASE_URL: target, DATA_DIR: restored })).code, 0);
  t.deepEqual(await readdir(restored), []);
  await writeFile(archive, files);
  const again = await sh('restore.sh', { DATABASE_URL: target, DATA_DIR: restored });
  t.is(again.code, 0, again.output);
  t.deepEqual(await readdir(restored), ['files']);
});

withDump('an installation with its files in a bucket is backed up and restored without them', async (t) => {
  const { source, target, folder, sh } = await newScene(t);
  await adminIn({ DATABASE_URL: source }).json(['organization', 'create', '--name', 'Bucket', ...owner]);
  const settings = { DATA_DIR: join(folder, 'data'), FILES_URL: 's3://files' };
  const backedUp = await sh('backup.sh', { ...settings, DATABASE_URL: source });
  t.is(backedUp.code, 0, backedUp.output);
  const restored = await sh('restore.sh', { ...settings, DATABASE_URL: target });
  t.is(restored.code, 0, restored.output);
  t.regex((await adminIn({ DATABASE_URL: target }).run(['organization', 'list'])).stdout, /Bucket/);
});

withDump('a backup of one schema is restored beside another installation, and not over one', async (t) => {
  const { source, target, folder, sh } = await newScene(t);
  const of = (url: string, schema: string) => adminIn({ DATABASE_URL: url, DATABASE_SCHEMA: schema });
  await of(source, 'kept').json(['organization', 'create', '--name', 'Kept', ...owner]);
  await of(source, 'other').json(['organization', 'create', '--name', 'Other', ...owner]);
  await of(target, 'public').json(['organization', 'create', '--name', 'Beside', ...owner]);
  await mkdir(join(folder, 'data', 'files'), { recursive: true });
  const backedUp = await sh('backup.sh', {
    DATABASE_URL: source,
    DATABASE_SCHEMA: 'kept',
    DATA_DIR: join(folder, 'data'),
  });
  t.is(backedUp.code, 0, backedUp.output);
  const restored = await sh('restore.sh', { DATABASE_URL: target, DATA_DIR: join(folder, 'restored') });
  t.is(restored.code, 0, restored.output);
  t.is((await sh('restore.sh', { DATABASE_URL: target, DATA_DIR: join(folder, 'again') })).code, 1);

  const namesIn = async (schema: string) => {
    const { stdout } = await of(target, schema).run(['organization', 'list', '--json']);
    return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
  };
  t.deepEqual(await namesIn('kept'), ['Kept']);
  t.deepEqual(await namesIn('public'), ['Beside']);
  const cells = await of(target, 'public').run(['cells', 'list']);
  t.notRegex(cells.stdout, /other/);
});
