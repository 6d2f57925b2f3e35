import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { launchRun, publishProcess } from '@runward/testing/process';
import test, { type ExecutionContext } from 'ava';
import { newFolder, startCommand } from '../support/command.ts';
import { useServer, type Workplace } from '../support/service.ts';
import { onTerminal, openTerminal } from '../support/terminal.ts';

const { newWorkplace } = useServer(test);

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Content that is too large for one request. */
const large = randomBytes(9_000_000);
const id = '0195f3a0-5a50-7c1e-9d0f-3f2b8c1d4e5f';

interface File {
  readonly id: string;
  readonly fileName: string;
  readonly size: number;
  readonly sha256: string;
}

async function oneRun(t: ExecutionContext, { org }: Workplace) {
  const fields = [
    { key: 'scans', label: 'Scans', type: 'FILE_UPLOAD' },
    { key: 'signature', label: 'Signature', type: 'SIGNATURE' },
    { key: 'note', label: 'Note', type: 'TEXT' },
  ] as const;
  const { templateId } = await publishProcess(org.api, [{ title: 'Sign', fields }, { title: 'Last' }]);
  const run = await launchRun(org.api, templateId);
  const cwd = await newFolder(t);
  await writeFile(join(cwd, 'page.bin'), large);
  await writeFile(join(cwd, 'signature.png'), pixel);
  return { run, cwd };
}

test('files upload attaches files, also with odd names and from stdin; list, download and zip find them', async (t) => {
  const work = await newWorkplace();
  const { run, cwd } = await oneRun(t, work);
  const odd = '@a, "b" =ü\u0301 #1.txt';
  await writeFile(join(cwd, odd), 'odd');
  const upload = ['files', 'upload', run.id, 'sign', 'scans'];
  const attached = await work.data<File[]>([...upload, odd, 'page.bin'], { cwd });
  t.deepEqual(
    attached.map(({ fileName, size }) => [fileName, size]),
    [
      [odd.replaceAll('"', '_').normalize('NFC'), 3],
      ['page.bin', large.length],
    ],
  );
  const piped = await work.data<File[]>([...upload, '-', '--name', 'dump.sql'], { input: 'select 1' });
  t.like(piped[0], { fileName: 'dump.sql', size: 8 });

  const listed = await work.data<File[]>(['files', 'list', run.id]);
  const idsOf = (files: readonly File[]) => files.map(({ id }) => id).toSorted();
  t.deepEqual(idsOf(listed), idsOf([...attached, ...piped]));
  const fields = ['-o', 'jsonl', '--fields', 'fileName'];
  t.is((await work.runward(['files', 'list', run.id, '--limit', '1', ...fields])).stdout, '{"fileName":"dump.sql"}\n');

  const page = attached[1]?.id ?? '';
  const target = await newFolder(t);
  const saved = await work.runward(['files', 'download', page], { cwd: target });
  t.is(saved.code, 0, saved.stderr);
  t.is(saved.stderr, '', 'no progress without a terminal');
  const sha256 = createHash('sha256').update(large).digest('hex');
  t.like(JSON.parse(saved.stdout), { path: join(target, 'page.bin'), size: large.length, sha256 });
  t.true(large.equals(await readFile(join(target, 'page.bin'))));
  const printed = startCommand(['files', 'download', page, '--output-file', '-'], { env: work.env });
  t.is((await printed.finished).code, 0);
  t.true(large.equals(printed.stdoutBytes()));

  t.is((await work.runward(['files', 'zip', '--run', run.id, '--output-file', 'all.zip'], { cwd: target })).code, 0);
  const zip = await readFile(join(target, 'all.zip'));
  t.true(zip.includes('dump.sql') && zip.length > large.length);
  t.deepEqual(await work.data(['files', 'status', page]), { status: 'SKIPPED' });
});

test('files download and zip replace an existing file only with --force', async (t) => {
  const work = await newWorkplace();
  const { run, cwd } = await oneRun(t, work);
  const [file] = await work.data<File[]>(['files', 'upload', run.id, 'sign', 'signature', 'signature.png'], { cwd });
  const path = join(cwd, 'copy.png');
  await writeFile(path, 'mine');
  for (const args of [
    ['files', 'download', file?.id ?? '', '--output-file', 'copy.png'],
    ['files', 'zip', file?.id ?? '', '--output-file', 'copy.png'],
  ]) {
    const refused = await work.runward(args, { cwd });
    t.is(refused.code, 1);
    t.regex(refused.stderr, /copy\.png exists already\. Use --force to replace it/);
    t.is(await readFile(path, 'utf8'), 'mine');
  }
  t.is(
    (await work.runward(['files', 'download', file?.id ?? '', '--output-file', 'copy.png', '--force'], { cwd })).code,
    0,
  );
  t.true(pixel.equals(await readFile(path)));
  t.deepEqual((await readdir(cwd)).toSorted(), ['copy.png', 'page.bin', 'signature.png']);
});

test('files rejects what it cannot read or find, and changes nothing', async (t) => {
  const work = await newWorkplace();
  const { run, cwd } = await oneRun(t, work);
  const cases: [number, RegExp, string[]][] = [
    [
      1,
      /none\.pdf cannot be read: there is no such file or directory\.\n/,
      ['upload', run.id, 'sign', 'scans', 'page.bin', 'none.pdf'],
    ],
    [1, /\. cannot be read: it is not a file/, ['upload', run.id, 'sign', 'scans', '.']],
    [2, /No field of "Sign" is named "scan"\. Did you mean "scans"\?/, ['upload', run.id, 'sign', 'scan', 'page.bin']],
    [2, /--name is for one file/, ['upload', run.id, 'sign', 'scans', 'page.bin', 'signature.png', '--name', 'x']],
    [3, /No task has the title "other"/, ['upload', run.id, 'other', 'scans', 'page.bin']],
    [2, /"x" is not a file ID/, ['download', 'x']],
    [3, /File not found/, ['download', id]],
    [3, /File not found/, ['status', id]],
    [3, /The run has no files/, ['zip', '--run', run.id]],
    [2, /Give the IDs of files, or --run/, ['zip']],
    [2, /Give a run, --entry or --field/, ['list']],
    [2, /--entry: "x" is not an ID/, ['list', '--entry', 'x']],
  ];
  for (const [code, message, args] of cases) {
    const ended = await work.runward(['files', ...args], { cwd });
    t.is(ended.code, code, ended.stderr);
    t.regex(ended.stderr, message);
  }
  t.deepEqual(await work.data(['files', 'list', run.id]), []);
  const wrong = await work.runward(['files', 'upload', run.id, 'sign', 'signature', 'page.bin'], { cwd });
  t.is(wrong.code, 6);
  t.regex(wrong.stderr, /"Signature" takes image\/png/);
});

test('Ctrl-C during an upload or a download leaves nothing behind', async (t) => {
  const work = await newWorkplace();
  const { run, cwd } = await oneRun(t, work);
  const upload = ['files', 'upload', run.id, 'sign', 'scans', 'page.bin'];
  const stopped = startCommand([...upload, '--debug'], { env: work.env, cwd });
  while (!stopped.stderr().includes('> PUT')) await setImmediate();
  stopped.interrupt();
  t.is((await stopped.finished).code, 130);
  t.regex(stopped.stderr(), /> DELETE \S+\/files\//);
  t.deepEqual(await work.data(['files', 'list', run.id]), []);

  const [file] = await work.data<File[]>(upload, { cwd });
  const download = ['files', 'download', file?.id ?? '', '--output-file', 'copy.bin', '--debug'];
  const halted = startCommand(download, { env: work.env, cwd });
  while (!halted.stderr().includes('/files/transfer/')) await setImmediate();
  halted.interrupt();
  t.is((await halted.finished).code, 130);
  t.false(halted.stderr().includes('transfer/WzE'), 'the log has no signed URL');
  t.deepEqual((await readdir(cwd)).toSorted(), ['page.bin', 'signature.png']);
});

onTerminal('a transfer shows a progress bar on a terminal', async (t) => {
  const work = await newWorkplace();
  const { run, cwd } = await oneRun(t, work);
  const terminal = openTerminal(t, ['files', 'upload', run.id, 'sign', 'scans', join(cwd, 'page.bin')], work);
  const { code, screen } = await terminal.end();
  t.is(code, 0, screen);
  t.regex(screen, /page\.bin \[#{24}\] 100 % of 9 MB/);
  t.regex(screen, /^id +scanStatus +size/m);
});
