import { Readable, Writable } from 'node:stream';
import { ensureDatabase, startEmbeddedPostgres } from '@runward/server/internal/database/embedded/postgres';
import { newDataFolder } from '@runward/testing/data-folder';
import test from 'ava';
import { run as runAdmin } from '../../src/admin/run.ts';
import { adminIn } from '../support/admin.ts';

test('everything of a healthy installation is ok, and what is in progress is shown on a terminal only', async (t) => {
  await using folder = await newDataFolder();
  await using postgres = await startEmbeddedPostgres({ dataDir: folder.path });
  await ensureDatabase(postgres.url());
  const env = { DATABASE_URL: postgres.url(), DATA_DIR: folder.path };
  const { run, json } = adminIn(env);
  await json(['organization', 'create', '--name', 'Acme', '--owner-email', 'ada@acme.example']);
  const { code, stdout, stderr } = await run(['doctor', '--strict']);
  t.is(code, 0, stdout);
  t.is(stderr, '');
  t.true(
    stdout
      .trimEnd()
      .split('\n')
      .every((line) => /^(?:ok|off) /.test(line)),
    stdout,
  );
  t.regex(stdout, /\nok {5}PostgreSQL {6}durable; \d+ of \d+ connections are open\n/);
  t.regex(stdout, /\nok {5}disks .* free; the database has \d+ MB, its disk has .* free\n/);

  let shown = '';
  const terminal = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        shown += String(chunk);
        done();
      },
    }),
    { isTTY: true },
  );
  const stdin = Readable.from(['']);
  const ignored = new Writable({ write: (_chunk, _encoding, done) => done() });
  t.is(await runAdmin(['doctor'], { env, stdin, stdout: ignored, stderr: terminal }), 0);
  t.true(shown.includes('\r\u001b[Kchecking: activity'));
  t.true(shown.endsWith('\r\u001b[K'));
});

test('a stopped embedded database is started for the duration of the command', async (t) => {
  await using folder = await newDataFolder();
  const { run, json } = adminIn({ DATA_DIR: folder.path });
  await json(['organization', 'create', '--name', 'Acme', '--owner-email', 'ada@acme.example']);
  const { code, stdout } = await run(['doctor']);
  t.is(code, 0, stdout);
  t.regex(stdout, /\nok {5}database {8}embedded, PostgreSQL .*, migrations up to date\n/);
  t.regex(stdout, /\nok {5}audit logs {6}the newest lines of 1 organization are as they were written\n/);
});
