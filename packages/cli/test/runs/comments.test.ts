import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

test('runs comment mentions members and groups by name, and runs comments list prints what was said', async (t) => {
  const work = await newWorkplace();
  const { org, runward, data } = work;
  const { templateId } = await publishProcess(org.api, [{ title: 'Sign the contract' }]);
  const { id, byTitle } = await launchRun(org.api, templateId);
  const grace = await org.member('Grace Hopper');
  const owner = await org.session();
  const { id: drivers } = await must(owner.call('groups', 'create', { body: { name: 'Drivers' } }));

  const said = await data<{ id: string; runTaskId: string | null; mentions: object }>([
    'runs',
    'comment',
    id,
    'Who has the **key**?',
    '-o',
    'json',
    '--mention',
    grace.email,
    '--mention',
    'drivers',
    '--mention',
    'Grace Hopper',
  ]);
  t.like(said, { runTaskId: null, mentions: { userIds: [grace.id], groupIds: [drivers] } });
  const onTask = await data<{ runTaskId: string }>(
    ['runs', 'comment', id, '--task', 'sign', '--file', '-', '--mention', grace.id, '-o', 'json'],
    { input: 'I have it.\n' },
  );
  t.like(onTask, { runTaskId: byTitle('Sign the contract').runTaskId, text: 'I have it.' });

  const list = await runward(['runs', 'comments', 'list', id]);
  t.regex(list.stdout, /Who has the \*\*key\*\*\?[^]*I have it\./);
  t.is((await runward(['runs', 'comments', 'delete', said.id, '--yes'])).code, 0);
  const { stdout: input } = await runward(['audit', 'export', id]);
  t.regex(input, /comment\.created[^]*comment\.deleted/);
  t.is((await runward(['audit', 'verify', '-'], { input })).code, 0);
});

test('runs comment without a text, with two, or for someone who does not exist says what to do', async (t) => {
  const { org, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api);
  const { id } = await launchRun(org.api, templateId);
  const none = await runward(['runs', 'comment', id]);
  t.is(none.code, 2);
  t.regex(none.stderr, /Give the comment as an argument or with --file\./);
  t.is((await runward(['runs', 'comment', id, 'One', '--file', 'notes.md'])).code, 2);
  const unknown = await runward(['runs', 'comment', id, 'One', '--mention', 'Nobody']);
  t.is(unknown.code, 2);
  t.regex(unknown.stderr, /No active member [^]*"Nobody"[^]*No group/);
});
