import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { useApp } from '@runward/testing/app';
import { must } from '@runward/testing/process';
import test from 'ava';
import { inServiceTransaction } from '../../src/admin/database.ts';
import { readConfig } from '../../src/config.ts';
import { newId } from '../../src/ids.ts';
import { adminIn } from '../support/admin.ts';
import { openForm } from '../support/files.ts';

const app = useApp(test);

test('files check reports rows without bytes and bytes without rows, and removes the latter if asked to', async (t) => {
  const form = await openForm(app);
  await must(form.upload('papers', 'x'));
  await app.examiner.tick();
  const { run } = adminIn({ DATABASE_URL: app.databaseUrl, DATA_DIR: dirname(app.filesFolder) });
  const fine = await run(['files', 'check', '--recent']);
  t.deepEqual([fine.code, fine.stdout], [0, '0 rows without bytes\n0 bytes without rows\n']);

  const lost = `${form.org.organizationId}/files/${newId()}`;
  await mkdir(dirname(join(app.filesFolder, lost)), { recursive: true });
  await writeFile(join(app.filesFolder, lost), 'x');
  t.is((await run(['files', 'check'])).code, 0, 'an upload may be in progress');
  const report = await run(['files', 'check', '--recent', '--json']);
  t.is(report.code, 1);
  t.deepEqual(JSON.parse(report.stdout), { rowsWithoutBytes: [], bytesWithoutRows: [lost], removed: 0 });
  t.regex(report.stderr, /Files and rows differ/);
  t.is((await run(['files', 'check', '--recent', '--remove'])).code, 0);
  t.is((await run(['files', 'check', '--recent'])).code, 0);
});

test('a check of many files has no limit of time, neither for a statement nor between two of them', async (t) => {
  const timeouts = await inServiceTransaction(readConfig({ DATABASE_URL: app.databaseUrl }), (em) =>
    em.execute<{ name: string }[]>(
      `select name from pg_settings where setting <> '0'
        and name in ('statement_timeout', 'idle_in_transaction_session_timeout')`,
    ),
  );
  t.deepEqual(timeouts, []);
});
