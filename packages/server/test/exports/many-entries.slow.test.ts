import { newDataFolder } from '@runward/testing/data-folder';
import { launchRun } from '@runward/testing/process';
import { startServiceFor } from '@runward/testing/service';
import test from 'ava';
import { connectToNew } from '../support/database/connect.ts';
import { publishDraft } from '../support/templates.ts';

/** Each of them is 100 lines of the CSV, one for each field. */
const entryCount = 1_500;

test('exports of a run with thousands of entries do not end the process for lack of memory', async (t) => {
  t.timeout(180_000);
  const { url, client } = await connectToNew(t);
  await using folder = await newDataFolder();
  const first = await startServiceFor(t, folder.path, { DATABASE_URL: url });
  const fields = Array.from({ length: 100 }, (_, index) => ({ label: `Field ${index}`, type: 'TEXT' as const }));
  const templateId = await publishDraft(first.api(), [{ title: 'Log', repeatable: true, fields }]);
  const { id } = await launchRun(first.api(), templateId);
  first.child.kill('SIGTERM');
  await first.exited;
  await client.query(
    `insert into entries (organization_id, id, run_id, run_task_id, status, created_by_user_id, created_at, completed_at)
     select run.organization_id, gen_random_uuid(), run.id, task.id, 'COMPLETED', run.owner_user_id, now(), now()
     from runs run join run_tasks task on task.run_id = run.id, generate_series(1, ${entryCount})
     where run.id = $1`,
    [id],
  );

  const service = await startServiceFor(t, folder.path, {
    DATABASE_URL: url,
    NODE_OPTIONS: '--max-old-space-size=128 --max-semi-space-size=4',
  });
  const csv = await service.api().raw('GET', `/runs/${id}/export/csv`);
  t.is(csv.status, 200, service.log());
  t.is(String(csv.body).split('\r\n').length, 1 + 100 * entryCount + 1);
  const pdf = await service.api().raw('GET', `/runs/${id}/export/pdf`);
  t.like(pdf.error, { code: 'pdf_failed' }, service.log());
});
