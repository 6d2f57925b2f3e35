import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchRun, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { newFolder } from '../support/command.ts';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('runs export prints the runs that match as CSV, to stdout or a file', async (t) => {
  const { org, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'A' }], { name: 'One' });
  for (const title of ['first', 'Zoë, "second"']) await launchRun(org.api, templateId, { title });
  const { id } = await launchRun(org.api, templateId, { title: 'cancelled' });
  await org.api.call('runs', 'cancel', { params: { id } });
  const titles = (csv: string) => parse<{ title: string }>(csv, { columns: true }).map(({ title }) => title);

  const all = await runward(['runs', 'export']);
  t.is(all.code, 0, all.stderr);
  t.is(all.stderr, '');
  t.deepEqual(titles(all.stdout), ['cancelled', 'Zoë, "second"', 'first']);
  const filtered = await runward(['runs', 'export', '--template', 'One', '--status', 'RUNNING', '-o', 'csv']);
  t.deepEqual(titles(filtered.stdout), ['Zoë, "second"', 'first']);

  const cwd = await newFolder(t);
  const saved = await runward(['runs', 'export', '--output-file', 'runs.csv'], { cwd });
  t.deepEqual(saved, { code: 0, stdout: '', stderr: 'Saved runs.csv.\n' });
  t.is(await readFile(join(cwd, 'runs.csv'), 'utf8'), all.stdout);
  t.is((await runward(['api', 'GET', '/runs/export/csv', '-f', 'status=RUNNING'])).stdout, filtered.stdout);
  const unknown = await runward(['api', 'GET', '/runs/export/csv?limit=1']);
  t.is(unknown.code, 6, unknown.stderr);
});

test('runs export of one run prints its values as CSV, and saves its report as PDF', async (t) => {
  const { org, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'A' }], { name: 'One' });
  const { id } = await launchRun(org.api, templateId, { title: 'first' });
  const csv = await runward(['runs', 'export', id]);
  t.is(csv.code, 0, csv.stderr);
  t.deepEqual(
    parse<{ taskTitle: string }>(csv.stdout, { columns: true }).map(({ taskTitle }) => taskTitle),
    ['A'],
  );
  const cwd = await newFolder(t);
  const saved = await runward(['runs', 'export', id, '--format', 'pdf', '--output-file', 'report.pdf'], { cwd });
  t.deepEqual(saved, { code: 0, stdout: '', stderr: 'Saved report.pdf.\n' });
  t.is((await readFile(join(cwd, 'report.pdf'))).subarray(0, 5).toString(), '%PDF-');
  t.is((await runward(['runs', 'export', '--format', 'pdf'])).code, 2);
  t.is((await runward(['runs', 'export', id, '--status', 'RUNNING'])).code, 2);
  t.is((await runward(['runs', 'export', id, '--format', 'xml'])).code, 2);
});

test('runs export rejects other formats, fields and unknown templates', async (t) => {
  const { runward } = await newWorkplace();
  t.is((await runward(['runs', 'export', '-o', 'json'])).code, 2);
  t.is((await runward(['runs', 'export', '--fields', 'id'])).code, 2);
  t.is((await runward(['runs', 'export', '--template', 'None'])).code, 3);
});

test('api uploads a background image, and names the file when it is missing', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api);
  const cwd = await newFolder(t);
  await writeFile(join(cwd, 'logo.png'), pixel);
  const path = `/templates/${templateId}/background-image`;
  const template = await data<{ backgroundImage: { url: string } }>(['api', 'POST', path, '--file', 'file=@logo.png'], {
    cwd,
  });
  t.regex(template.backgroundImage.url, /^http/);

  const missing = await runward(['api', 'POST', path]);
  t.is(missing.code, 2);
  t.regex(missing.stderr, /background-image needs a file: --file file=@PATH/);
  const misnamed = await runward(['api', 'POST', path, '--file', 'image=@logo.png'], { cwd });
  t.is(misnamed.code, 2);
  t.regex(misnamed.stderr, /Choose from file\./);
  const text = await runward(['api', 'POST', path, '--file', 'file=@-'], { input: 'not an image' });
  t.is(text.code, 6, text.stderr);
});
