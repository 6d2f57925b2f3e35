import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { sparkline } from '../../src/output/sparkline.ts';
import { newFolder } from '../support/command.ts';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

test('analytics prints a summary with sparklines, JSON, or the CSV of the server', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const hire = await publishProcess(org.api, [{ title: 'Sign' }], { name: 'Hire' });
  const audit = await publishProcess(org.api, undefined, { name: 'Audit' });
  const run = await launchRun(org.api, hire.templateId);
  await launchRun(org.api, hire.templateId);
  await launchRun(org.api, audit.templateId);
  const { runTaskId: taskId } = run.byTitle('Sign');
  await must(org.api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));
  await must(org.api.call('savedViews', 'create', { body: { name: 'Done', filters: { statuses: ['COMPLETED'] } } }));
  const totalOf = async (...options: string[]) => (await data<{ total: number }>(['analytics', ...options])).total;

  t.is(await totalOf(), 3);
  t.is(await totalOf('--template', 'Hire'), 2);
  t.is(await totalOf('--view', 'Done', '--advanced'), 1);
  t.is(await totalOf('--view', 'Done', '--template', 'Audit'), 0);
  t.is(await totalOf('--from', '2020-01-01', '--to', '2020-01-31'), 0);
  t.deepEqual(await data(['analytics', '--fields', 'total,completionRate']), { total: 3, completionRate: 1 / 3 });

  const { stdout, stderr, code } = await runward(['analytics', '--advanced', '-o', 'table']);
  t.is(code, 0, stderr);
  const lines = stdout.split('\n');
  t.regex(lines[0] ?? '', /^\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(UTC\)$/);
  for (const line of [/^runs +3 +0$/, /^completion rate +33\.3 % +–$/, /^on time +100\.0 % +–$/]) {
    t.true(
      lines.some((each) => line.test(each)),
      `${String(line)} is not in\n${stdout}`,
    );
  }
  t.true(lines.includes(`started            ${'▁'.repeat(29)}█`), stdout);
  for (const heading of ['template', 'owner', 'slowest task'])
    t.true(
      lines.some((each) => each.startsWith(heading)),
      heading,
    );
  t.false(stdout.includes('stalled run'));

  const csv = await runward(['analytics', '--template', 'Hire', '-o', 'csv']);
  const rows: string[][] = parse(csv.stdout);
  t.deepEqual(rows[0], ['section', 'name', 'metric', 'value']);
  t.deepEqual(
    rows.find(([section, , metric]) => section === 'summary' && metric === 'total'),
    ['summary', '', 'total', '2'],
  );

  const cwd = await newFolder(t);
  const save = (format: string) =>
    runward(['analytics', '--template', 'Hire', '--format', format, '--output-file', `figures.${format}`], { cwd });
  t.deepEqual(await save('csv'), { code: 0, stdout: '', stderr: 'Saved figures.csv.\n' });
  t.is(await readFile(join(cwd, 'figures.csv'), 'utf8'), csv.stdout);
  t.deepEqual(await save('pdf'), { code: 0, stdout: '', stderr: 'Saved figures.pdf.\n' });
  t.is((await readFile(join(cwd, 'figures.pdf'))).subarray(0, 5).toString(), '%PDF-');
});

test('analytics rejects exports of a view, reversed periods and unknown names', async (t) => {
  const { runward } = await newWorkplace();
  t.is((await runward(['analytics', '-o', 'csv', '--view', 'Done'])).code, 2);
  t.is((await runward(['analytics', '-o', 'csv', '--fields', 'total'])).code, 2);
  t.is((await runward(['analytics', '--format', 'pdf', '--view', 'Done'])).code, 2);
  t.is((await runward(['analytics', '--format', 'pdf', '-o', 'json'])).code, 2);
  t.is((await runward(['analytics', '--output-file', 'figures.json'])).code, 2);
  t.is((await runward(['analytics', '--template', 'None'])).code, 3);
  const reversed = await runward(['analytics', '--from', '2026-03-02', '--to', '2026-03-01']);
  t.is(reversed.code, 6);
  t.regex(reversed.stderr, /to: must not be before from/);
});

test('a sparkline is as long as its values or as wide as it may be', (t) => {
  t.is(sparkline([0, 1, 7, 3], 10), '▁▂█▄');
  t.is(sparkline([], 10), '');
  t.is(sparkline([0, 0], 10), '▁▁');
  t.is(sparkline([1, 1, 2, 2, 4], 3), '▅██');
});
