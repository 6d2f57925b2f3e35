import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { Client } from 'pg';
import { onOnePostgres } from '../../support/database/on-one-postgres.ts';
import { recordStatements, scansOf } from '../../support/database/statements.ts';

const app = useApp(test);

onOnePostgres('a form reads the tasks of its run alone, also while PostgreSQL has no statistics', async (t) => {
  const { api } = await newOrganization(app);
  const task = (title: string) => ({ title, fields: [{ key: title, label: title, type: 'TEXT' as const }] });
  const { templateId, fields } = await publishProcess(api, [task('first'), task('last')]);
  const run = await launchRun(api, templateId);
  const recorded = recordStatements();
  for (const title of ['first', 'last']) {
    const values = [{ runTaskFieldId: fields[title]?.id ?? '', value: 'Ada' }];
    const body = { runTaskId: run.byTitle(title).runTaskId, values };
    await must(api.call('execution', 'submitForm', { body }));
  }
  recorded.stop();
  const saves = recorded.texts().filter((text) => /^\s*with saved as \(\s*update/.test(text));
  // The last form also ends the run, which takes its tasks off the lists.
  t.is(saves.length, 2);

  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  t.teardown(() => client.end());
  const found: string[] = [];
  for (const text of saves) {
    for (const scan of await scansOf(client, text)) if (scan.table === 'run_tasks') found.push(scan.found);
  }
  t.is(found.length, 3);
  for (const conditions of found) t.regex(conditions, /\b(run_)?id\b/);
});
