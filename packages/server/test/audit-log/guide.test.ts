import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newDataFolder } from '@runward/testing/data-folder';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);
const guide = readFileSync(new URL('../../../../docs/guides/audit.md', import.meta.url), 'utf8');
const hasPython = spawnSync('python3', ['--version']).status === 0;

(hasPython ? test : test.skip)('the program of the guide accepts an export, and no altered one', async (t) => {
  await using folder = await newDataFolder();
  const [, program = ''] = /```python\n(import csv[^]*?)```/.exec(guide) ?? [];
  const org = await newOrganization(app);
  const session = await org.session();
  for (const name of ['Finance', 'Émilie, "quoted"\nnext line'.replace('\n', ' ')]) {
    await must(session.call('groups', 'create', { body: { name } }));
  }
  const { body } = await session.raw('GET', '/audit-log/export');
  const verify = (text: string) => {
    const file = join(folder.path, 'export.csv');
    writeFileSync(file, text);
    const { status, stdout } = spawnSync('python3', ['-c', program, file], { encoding: 'utf8' });
    return { status, stdout };
  };
  t.deepEqual(verify(String(body)), { status: 0, stdout: 'All lines are unchanged.\n' });
  t.is(verify(String(body).replaceAll('Finance', 'Finances')).status, 1);
});
