import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

test('tasks list prints open tasks of all active runs by deadline, and takes filters', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const due = { from: 'SCHEDULED_DATE', offset: 'P1D' } as const;
  const { templateId } = await publishProcess(org.api, [{ title: 'Free' }, { title: 'Due', due }], { name: 'Hire' });
  const first = await launchRun(org.api, templateId, { scheduledDateLocal: '2090-01-01', title: 'First' });
  await launchRun(org.api, templateId, { scheduledDateLocal: '2089-01-01', title: 'Second' });
  const list = async (...options: string[]) => {
    const tasks: { title: string; runTitle: string }[] = await data(['tasks', 'list', ...options]);
    return tasks.map(({ title, runTitle }) => `${title} of ${runTitle}`);
  };
  t.deepEqual(await list('--template', 'Hire'), ['Due of Second', 'Due of First', 'Free of First', 'Free of Second']);
  t.deepEqual(await list('--due-before', '2089-06-01T00:00:00Z'), ['Due of Second']);
  t.deepEqual(await list('--overdue'), []);

  await runward(['tasks', 'assign', first.id, 'Free', '--user', org.ownerEmail]);
  t.deepEqual(await list('--mine'), ['Free of First']);
  t.deepEqual(await list('--user', org.ownerEmail), ['Free of First']);
  await runward(['tasks', 'complete', first.id, 'Free', '--direct']);
  t.deepEqual(await list('--mine'), []);
  t.deepEqual(await list('--mine', '--status', 'completed'), ['Free of First']);
  const table = await runward(['tasks', 'list', '--limit', '1', '-o', 'table']);
  t.regex(table.stdout, /^runTaskId +runPublicId +status +deadlineAt +title +runTitle$/m);
  t.regex(table.stderr, /1 of 3; --all prints all/);

  t.is((await runward(['tasks', 'list', first.id, '--mine'])).code, 2);
  t.is((await runward(['tasks', 'list', '--mine', '--user', org.ownerEmail])).code, 2);
});

for (const columns of [80, 40]) {
  test(`tasks list on ${columns} columns shows what the next command needs, and tasks assign takes it`, async (t) => {
    const { org, runward, data } = await newWorkplace();
    const owner = await org.session();
    const group = await must(owner.call('groups', 'create', { body: { name: 'Desk', memberIds: [] } }));
    const due = { from: 'SCHEDULED_DATE', offset: 'P1D' } as const;
    const { templateId } = await publishProcess(org.api, [{ title: 'Welcome at the door', due }]);
    await launchRun(org.api, templateId, { title: 'Onboarding of Ada Lovelace, Engineering, Munich' });
    const { stdout } = await runward(['tasks', 'list'], { columns });
    t.true(
      stdout.split('\n').every((line) => line.length <= columns),
      stdout,
    );
    const [, publicId = '', title = ''] = /(RUN-\w+).*(Welcome at the door)/.exec(stdout) ?? [];
    const assigned = await data(['tasks', 'assign', publicId, title, '--group', 'desk']);
    t.like(assigned, { title, assigneeGroupId: group.id });
    t.is((await runward(['tasks', 'list', '--group', 'Desk', '--jq', '.[].runPublicId'])).stdout, `${publicId}\n`);
  });
}

test('tasks list --mine prints own tasks, those of groups and approvals, grouped by when they are due', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const owner = await org.session();
  const body = { name: 'Desk', memberIds: [org.ownerUserId] };
  const { id: assigneeGroupId } = await must(owner.call('groups', 'create', { body }));
  const { templateId } = await publishProcess(org.api, [
    { title: 'Own', assigneeId: org.ownerUserId },
    { title: 'Shared', assigneeGroupId, due: { from: 'LAUNCH', offset: 'P90D' } },
    { title: 'Nobody' },
  ]);
  await launchRun(org.api, templateId, { title: 'First' });

  const list = ['tasks', 'list', '--mine'];
  const tasks: { title: string; due: string; reasons: string[] }[] = await data(list);
  t.deepEqual(
    tasks.map(({ title, due, reasons }) => [title, due, reasons]),
    [
      ['Shared', 'LATER', ['GROUP']],
      ['Own', 'NONE', ['ASSIGNED']],
    ],
  );
  const { stdout } = await runward([...list, '-o', 'table']);
  const row = String.raw`\S+ +RUN-\S+ +PENDING +\S* +`;
  const head = 'runTaskId +runPublicId +status +deadlineAt +reasons +title +runTitle';
  const group = (name: string, line: string) => `${name}\n${head}\n${row}${line}\n`;
  t.regex(
    stdout.replaceAll(/ +\n/g, '\n'),
    new RegExp(`^${group('Later', 'GROUP +Shared +First')}\n${group('No date', 'ASSIGNED +Own +First')}$`),
  );
  t.regex((await runward([...list, '-o', 'table', '--fields', 'title'])).stdout, /^title\nShared\nOwn\n$/);
  t.regex((await runward([...list, '--overdue', '-o', 'csv'])).stdout, /^runTaskId,/);
  t.like(await data(['tasks', 'counts']), { total: 2, byReason: { ASSIGNED: 1, GROUP: 1, APPROVAL: 0 } });
});

test('runs archive and unarchive take runs by ID or @last, and count each once', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api);
  const { id } = await launchRun(org.api, templateId);
  await runward(['runs', 'cancel', id]);

  t.regex((await runward(['runs', 'archive', id, '@last'])).stderr, /1 of 1 archived/);
  t.truthy((await getRun(org.api, id)).archivedAt);
  t.regex((await runward(['runs', 'unarchive', id])).stderr, /1 of 1 unarchived/);
  t.is((await getRun(org.api, id)).archivedAt, null);
  t.deepEqual(await data(['runs', 'archive', id]), { archived: 1, runIds: [id] });
});
