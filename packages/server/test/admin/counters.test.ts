import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { adminIn } from '../support/admin.ts';

const app = useApp(test);

test('counters check reports counters that differ from their runs, and corrects them if asked to', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const { id } = await launchRun(api, templateId);
  await launchRun(api, templateId);
  const { run } = adminIn({ DATABASE_URL: app.databaseUrl });
  const fine = await run(['counters', 'check']);
  t.deepEqual([fine.code, fine.stdout], [0, '1 organization checked, 0 counters differ\n']);

  // As somebody would who works on the database without the service.
  await app.provision.query("update runs set status = 'COMPLETED', archived_at = now() where id = $1", [id]);
  t.is((await must(api.call('runs', 'counts'))).total, 2);
  const found = await run(['counters', 'check', '--json']);
  t.is(found.code, 1);
  t.deepEqual(JSON.parse(found.stdout), {
    organizations: 1,
    differences: [
      {
        organizationId,
        templateId,
        status: 'COMPLETED',
        archived: true,
        counted: 0,
        runs: 1,
        countedTasks: 0,
        tasks: 1,
      },
      {
        organizationId,
        templateId,
        status: 'RUNNING',
        archived: false,
        counted: 2,
        runs: 1,
        countedTasks: 2,
        tasks: 1,
      },
    ],
    fixed: 0,
  });
  t.regex(found.stderr, /correct the counters with --fix/);

  const fixed = await run(['counters', 'check', '--fix']);
  t.is(fixed.code, 0, fixed.stderr);
  t.regex(
    fixed.stdout,
    /2 counters differ and were corrected\n {2}organization .*, COMPLETED, archived: 0 of 1 runs counted, 0 of 1 tasks/,
  );
  t.is((await run(['counters', 'check'])).code, 0);
  t.is((await must(api.call('runs', 'counts'))).total, 1);
  t.is((await must(api.call('runs', 'counts', { query: { archived: true } }))).total, 1);
});
