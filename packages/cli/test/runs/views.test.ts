import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

interface View {
  readonly id: string;
  readonly name: string;
  readonly visibility: string;
  readonly filters: object;
}

test('runs list and runs export take every filter by name, several of a kind, and a sort', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const { api, ownerEmail, ownerUserId } = org;
  const folder = await must(api.call('folders', 'create', { body: { name: 'People' } }));
  const hire = await publishProcess(api, [{ title: 'Sign' }], { name: 'Hire', folderId: folder.id });
  const audit = await publishProcess(api, undefined, { name: 'Audit' });
  await launchRun(api, hire.templateId, { title: 'Bo', scheduledDateLocal: '2030-01-02' });
  const ada = await launchRun(api, hire.templateId, { title: 'Ada', scheduledDateLocal: '2030-01-03' });
  await launchRun(api, audit.templateId, { title: 'Books', scheduledDateLocal: '2030-01-01' });
  await must(
    api.call('runs.tasks', 'setAssignee', {
      params: { taskId: ada.byTitle('Sign').runTaskId },
      body: { assigneeId: ownerUserId },
    }),
  );
  const list = async (...options: string[]) =>
    (await data<{ title: string }[]>(['runs', 'list', ...options])).map(({ title }) => title);

  t.deepEqual(await list('--template', 'Hire', '--template', 'Audit', '--sort', 'scheduledDateLocal'), [
    'Books',
    'Bo',
    'Ada',
  ]);
  t.deepEqual(await list('--sort', '-title'), ['Books', 'Bo', 'Ada']);
  t.deepEqual(await list('--folder', 'People', '--search', 'B'), ['Bo']);
  t.deepEqual(await list('--assignee', ownerEmail), ['Ada']);
  t.deepEqual(await list('--owner', ownerEmail, '--scheduled-from', '2030-01-02', '--scheduled-to', '2030-01-02'), [
    'Bo',
  ]);
  t.deepEqual(await list('--status', 'OVERDUE,CANCELLED', '--status', 'COMPLETED'), []);
  t.deepEqual(await list('--created-to', '2020-01-01'), []);
  t.is((await list('--created-from', '2020-01-01')).length, 3);
  const csv = await runward(['runs', 'export', '--folder', folder.id, '--search', 'ada']);
  t.is(csv.stdout.split('\r\n').length, 3);

  const wrong = await runward(['runs', 'list', '--status', 'DONE']);
  t.is(wrong.code, 2);
  t.regex(wrong.stderr, /It must be one of RUNNING, OVERDUE, COMPLETED, CANCELLED\./);
  const misspelled = await runward(['runs', 'list', '--folder', 'Peple']);
  t.is(misspelled.code, 3);
  t.regex(misspelled.stderr, /No folder is named "Peple". Did you mean "People"\?/);
});

test('views are created, listed, used, changed and deleted by name', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const hire = await publishProcess(org.api, undefined, { name: 'Hire' });
  const audit = await publishProcess(org.api, undefined, { name: 'Audit' });
  await launchRun(org.api, hire.templateId, { title: 'Ada' });
  await launchRun(org.api, audit.templateId, { title: 'Books' });
  const list = async (...options: string[]) =>
    (await data<{ title: string }[]>(['runs', 'list', ...options])).map(({ title }) => title);

  const options = ['--template', 'Hire', '--status', 'RUNNING', '--visibility', 'ORGANIZATION'];
  const created = await data<View>(['views', 'create', 'New hires', ...options]);
  t.like(created, { name: 'New hires', visibility: 'ORGANIZATION' });
  t.deepEqual(created.filters, { statuses: ['RUNNING'], templateIds: [hire.templateId] });
  t.deepEqual(await data(['views', 'list']), [created]);
  t.deepEqual(await data(['views', 'get', created.id]), created);
  t.deepEqual(await list('--view', 'New hires'), ['Ada']);
  t.deepEqual(await list('--view', 'New hires', '--template', 'Audit'), ['Books']);
  t.regex((await runward(['runs', 'export', '--view', created.id])).stdout, /Ada/);

  const changed = await data<View>(['views', 'update', 'New hires', '--name', 'Audits', '--search', 'books']);
  t.deepEqual([changed.name, changed.filters], ['Audits', { search: 'books' }]);
  t.deepEqual(await list('--view', 'Audits'), ['Books']);
  t.is((await runward(['views', 'update', 'Audits'])).code, 2);

  const folder = await must(org.api.call('folders', 'create', { body: { name: 'People' } }));
  const filed = await data<View>(['views', 'create', 'Filed', '--folder', 'People']);
  await org.api.call('folders', 'delete', { params: { id: folder.id } });
  t.deepEqual(await list('--view', 'Filed'), []);
  t.is((await runward(['views', 'delete', filed.id])).code, 0);

  const missing = await runward(['runs', 'list', '--view', 'Audit']);
  t.is(missing.code, 3);
  t.regex(missing.stderr, /No view is named "Audit". Did you mean "Audits"\?/);
  const other = await data<View>(['views', 'create', 'Audits']);
  const ambiguous = await runward(['runs', 'list', '--view', 'Audits']);
  t.is(ambiguous.code, 2);
  t.true(ambiguous.stderr.includes(other.id) && ambiguous.stderr.includes(created.id));
  t.regex((await runward(['views', 'delete', other.id])).stderr, /Deleted the view "Audits"\./);
  t.is((await runward(['views', 'delete', 'Audits'])).code, 0);
  t.deepEqual(await data(['views', 'list']), []);
});
