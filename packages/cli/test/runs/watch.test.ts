import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

/** A completed run with one submitted value. */
async function completedRun({ org }: Awaited<ReturnType<typeof newWorkplace>>) {
  const fields = [{ key: 'document', label: 'Document', type: 'TEXT' } as const];
  const { templateId, fields: made } = await publishProcess(org.api, [{ title: 'File the contract', fields }]);
  const run = await launchRun(org.api, templateId);
  const { runTaskId } = run.byTitle('File the contract');
  const entry = await must(org.api.call('execution', 'open', { body: { runTaskId } }));
  const runTaskFieldId = made['document']?.id ?? '';
  const body = { executionEntryId: entry.id, runTaskFieldId, value: 'contract.pdf' };
  await must(org.api.call('execution', 'submit', { body }));
  const params = { taskId: runTaskId };
  await must(org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));
  return getRun(org.api, run.id);
}

test('runs watch on a terminal names task, field and person, in local time and within its width', async (t) => {
  const work = await newWorkplace();
  const { id } = await completedRun(work);
  const wide = await work.runward(['runs', 'watch', id], { columns: 100 });
  t.is(wide.code, 0, wide.stderr);
  t.regex(
    wide.stdout,
    /^[\d-]{10} [\d:]{5} {2}value\.submitted {2}"File the contract", "Document" {2}by Owner \(API key\)$/m,
  );
  const narrow = await work.runward(['runs', 'watch', id], { columns: 40 });
  t.true(
    narrow.stdout.split('\n').every((line) => line.length <= 40),
    narrow.stdout,
  );
});

test('runs watch with a key that cannot read members names them by their IDs', async (t) => {
  const work = await newWorkplace();
  const { id } = await completedRun(work);
  const env = { RUNWARD_API_KEY: await work.newKey(['runs:read']) };
  const { stdout } = await work.runward(['runs', 'watch', id, '-o', 'table'], { env });
  t.true(
    stdout.includes(`value.submitted  "File the contract", "Document"  by ${work.org.ownerUserId} (API key)`),
    stdout,
  );
});
