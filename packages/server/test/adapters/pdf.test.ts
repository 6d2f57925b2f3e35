import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { findPdfPackages } from '../../src/adapters/pdf-packages.ts';
import { openPdfMaker, type PdfLimits, type PdfMaker } from '../../src/adapters/pdf.ts';
import { createPdfGate } from '../../src/limits/work-gate.ts';
import { createLog } from '../../src/telemetry/log.ts';

const endless = '#for a in range(1000000) { for b in range(1000000) { } }';

/** An empty folder of further fonts, by which the processes of this file are told from those of others. */
const fonts = await mkdtemp(join(tmpdir(), 'runward-pdf-fonts-'));
test.after.always(() => rm(fonts, { recursive: true }));

/** The processes of the makers of PDFs that this file has started. */
async function processes(): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'pid=,args=', '--ppid', String(process.pid)]);
  return stdout.split('\n').flatMap((line) => (line.includes(fonts) ? [Number.parseInt(line, 10)] : []));
}

/** `first` is code that the process runs before its program. */
async function open(t: ExecutionContext, limits: Partial<PdfLimits> = {}, pdfsWaiting = 5, first = '') {
  const folder = await mkdtemp(join(tmpdir(), 'runward-pdf-test-'));
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => lines.push(line) });
  const installed = await findPdfPackages(fonts, log);
  const program = join(folder, 'program.mjs');
  const starts = join(folder, 'starts');
  const count = `import { appendFileSync } from 'node:fs'; appendFileSync('${starts}', '.');`;
  await writeFile(program, `${count} ${first} await import('${installed.program}');`);
  const packages = { ...installed, program };
  const maker = await openPdfMaker(join(folder, 'documents'), packages, createPdfGate({ pdfsWaiting }), limits);
  t.teardown(async () => {
    await maker.stop();
    await rm(folder, { recursive: true });
  });
  let number = 0;
  const make = async (markup: string, texts: Record<string, string> = {}, { signal } = new AbortController()) => {
    const source = join(folder, `${(number += 1)}.typ`);
    await writeFile(source, markup);
    const prepare = async () => ({ source, texts, files: {} });
    return (await buffer(maker.make('organization', prepare, signal))).toString('latin1');
  };
  const left = () => readdir(join(folder, 'documents'));
  const started = async () => (await readFile(starts, 'utf8')).length;
  return { maker: maker satisfies PdfMaker, make, left, started, lines };
}

test.serial('a document is PDF/UA-1, and tagged PDF if no font has one of its characters', async (t) => {
  const { make, left, lines } = await open(t);
  const markup = '#set document(title: "T")\n#set text(font: "Noto Sans")\n#read("/a.txt")';
  const accessible = await make(markup, { '/a.txt': 'Latin Ελληνικά 中文 かな 한국어' });
  t.true(accessible.startsWith('%PDF-1.7'));
  t.regex(accessible, /<pdfuaid:part>1</);
  t.deepEqual(lines, []);
  for (const text of ['\u{1F642}\u0378', '\u0378']) t.notRegex(await make(markup, { '/a.txt': text }), /pdfuaid/);
  t.is(lines.length, 1);
  t.regex(lines[0] ?? '', /characters that no font has; put fonts for them into FONTS_DIR/);
  t.deepEqual(await left(), []);
});

test.serial('without the package that makes PDFs, a document fails with an error that names it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'runward-pdf-test-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const packages = { program: null, fonts: [], hasCjk: false, reportMissingGlyphs: () => {} };
  const maker = await openPdfMaker(folder, packages, createPdfGate({ pdfsWaiting: 1 }));
  const prepare = async () => ({ source: '', texts: {}, files: {} });
  await t.throwsAsync(buffer(maker.make('organization', prepare, new AbortController().signal)), {
    message: /only with the package @runward\/pdf; export CSV instead/,
  });
  t.deepEqual(await readdir(folder), []);
});

test.serial('a document reads nothing but what it is given', async (t) => {
  const { make } = await open(t);
  await make('#read("/a.txt")', { '/a.txt': 'first' });
  for (const name of ['/a.txt', '/etc/passwd', '../../etc/passwd']) {
    await t.throwsAsync(make(`#read("${name}")`), { message: /could not be made/ }, name);
  }
});

test.serial('a process that was killed is replaced, also while it works', async (t) => {
  // The last document takes a second on an idle machine.
  const { make } = await open(t, { layoutMs: 60_000 });
  t.deepEqual(await processes(), []);
  await make('one');
  const [first] = await processes();
  process.kill(first ?? 0, 'SIGKILL');
  t.true((await make('two')).startsWith('%PDF'));
  const [second] = await processes();
  t.not(second, first);
  const slow = make('#for a in range(3000) { for b in range(3000) { } }\nthree');
  process.kill(second ?? 0, 'SIGKILL');
  t.true((await slow).startsWith('%PDF'));
});

const ended = 'because the process that lays it out has ended';
for (const [end, first, markup, why] of [
  ['takes more memory than its process may', '', '#range(10000000).map(str).len()', 'with 300 MB of memory'],
  ['overflows the stack of the compiler', '', `#${'('.repeat(100_000)}`, ended],
  ['takes more memory than V8 may', 'for (let all = []; ; ) all = [all];', '', ended],
  ['exits', 'process.once("message", () => process.exit(134));', '', ended],
] as const) {
  test.serial(`a document that ${end} fails after one attempt`, async (t) => {
    const { make, started } = await open(t, { memoryMegabytes: 300, layoutMs: 60_000 }, 5, first);
    await t.throwsAsync(make(markup), { message: new RegExp(`${why}; export CSV instead`) });
    t.deepEqual(await processes(), []);
    t.is(await started(), 1);
    if (first === '') t.true((await make('next')).startsWith('%PDF'));
  });
}

test.serial('a layout that does not end is stopped, and the next document is made', async (t) => {
  // The other documents must be made within this time, including the start of the process.
  const { make } = await open(t, { layoutMs: 8_000 });
  await make('warm');
  await t.throwsAsync(make(endless), { message: /within 8 s; export CSV instead/ });
  t.deepEqual(await processes(), []);
  t.true((await make('next')).startsWith('%PDF'));
});

test.serial('a layout whose client is gone is stopped', async (t) => {
  const { make } = await open(t);
  const gone = new AbortController();
  const layout = make(endless, {}, gone);
  await until(async () => (await processes()).length > 0, 'the process');
  gone.abort();
  await t.throwsAsync(layout);
  t.deepEqual(await processes(), []);
});

test.serial('a preparation that takes too long is stopped, and the next document is made', async (t) => {
  const { maker, make, left } = await open(t, { preparationMs: 50 });
  const prepare = async (_: string, signal: AbortSignal) => {
    await setTimeout(60_000, null, { signal });
    return { source: '', texts: {}, files: {} };
  };
  const late = buffer(maker.make('organization', prepare, new AbortController().signal));
  await t.throwsAsync(late, { message: /export CSV instead/ });
  t.true((await make('next')).startsWith('%PDF'));
  t.deepEqual(await left(), []);
});

test.serial('documents are prepared one at a time, and organizations take turns', async (t) => {
  const { maker } = await open(t);
  const order: string[] = [];
  let prepared = 0;
  const stopped = new Error('not needed');
  const make = (name: string, wait = 0) =>
    buffer(
      maker.make(
        name,
        async () => {
          prepared += 1;
          t.is(prepared, 1);
          order.push(name);
          await setTimeout(wait);
          prepared -= 1;
          throw stopped;
        },
        new AbortController().signal,
      ),
    );
  await Promise.allSettled([make('a', 100), ...['a', 'a', 'a', 'b', 'b', 'c'].map((name) => make(name))]);
  t.deepEqual(order.slice(1, 4).toSorted(), ['a', 'b', 'c']);
});

test.serial(
  'documents wait for each other, and those of an organization beyond the limit are rejected with 429',
  async (t) => {
    const { make } = await open(t, {}, 2);
    const results = await Promise.allSettled(Array.from({ length: 5 }, (_, index) => make(`Document ${index}`)));
    t.is(results.filter(({ status }) => status === 'fulfilled').length, 3);
    const rejected = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    t.like(rejected[0], { status: 429, extra: { retryAfter: 1 } });
    t.is((await processes()).length, 1);
  },
);

test.serial('the process is replaced after its number of documents, and ends when it is idle', async (t) => {
  const { make } = await open(t, { documentsPerProcess: 2, idleMs: 200 });
  await make('one');
  const [first] = await processes();
  await make('two');
  await make('three');
  t.false((await processes()).includes(first ?? 0));
  await until(async () => (await processes()).length === 0, 'the end of the process');
});
