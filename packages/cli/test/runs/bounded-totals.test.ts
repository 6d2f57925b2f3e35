import { useApp } from '@runward/testing/app';
import { must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test, useApp(test, { limits: { countedItems: 2 } }));

test('lists with --total bounded say that there are more than were counted, unless they print all', async (t) => {
  const { org, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'First' }], { name: 'One' });
  const runs = Array.from({ length: 4 }, (_, index) => ({ templateId, title: `Order ${index}` }));
  await must(org.api.call('runs', 'bulkLaunch', { body: { runs } }));
  const list = async (...args: string[]) => {
    const { code, stdout, stderr } = await runward([...args, '-o', 'csv', '--total', 'bounded']);
    return { code, records: stdout.trim().split('\n').length - 1, stderr };
  };
  const found = ['runs', 'list', '--search', 'order'];
  t.deepEqual(await list(...found, '--limit', '2'), {
    code: 0,
    records: 2,
    stderr: '2 of more than 2; --all prints all.\n',
  });
  t.deepEqual(await list(...found, '--limit', '3'), {
    code: 0,
    records: 3,
    stderr: '3 of more than 3; --all prints all.\n',
  });
  t.deepEqual(await list(...found, '--limit', '4'), { code: 0, records: 4, stderr: '' });
  t.deepEqual(await list(...found, '--all'), { code: 0, records: 4, stderr: '' });
  t.is((await list('runs', 'list', '--limit', '2')).stderr, '2 of 4; --all prints all.\n');
  t.is((await list('tasks', 'list', '--limit', '2')).stderr, '2 of more than 2; --all prints all.\n');
  t.is(
    (await list('templates', 'runs', 'list', 'One', '--search', 'order', '--limit', '1')).stderr,
    '1 of more than 2; --all prints all.\n',
  );
  const wrong = await runward([...found, '--total', 'some']);
  t.is(wrong.code, 2);
  t.regex(wrong.stderr, /exact, bounded/);
});
