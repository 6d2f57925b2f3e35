/**
 * Makes PDFs with Typst in a separate process, so that its memory, its time and its faults do not affect the service.
 * `process.ts MEGABYTES [FONT ...]` does one {@link PdfJob} per message and reports its {@link PdfOutcome}. The
 * process ends itself with SIGUSR2 when it needs more memory, by which the service tells it from one that was killed,
 * and with SIGKILL when the service has ended. A thread watches for that, because laying out a document blocks.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import type { PdfJob, PdfOutcome } from './index.ts';

const [megabytes, ...fontPaths] = process.argv.slice(2);

/** SIGABRT, by which V8 ends a process without memory, could write all of it to a core dump. Windows has no SIGUSR2. */
const outOfMemory = process.platform === 'win32' ? 'SIGKILL' : 'SIGUSR2';
const watch = `
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    if (process.memoryUsage.rss() > ${Number(megabytes)} * 1e6) process.kill(process.pid, '${outOfMemory}');
  }, 250);
`;
new Worker(watch, { eval: true }).unref();

/** This folder does not exist: nothing is read from disk, because every file of a document is supplied by name. */
const workspace = '/runward-document';
const compiler = NodeCompiler.create({
  workspace,
  fontArgs: [{ fontPaths }],
});

process.on('message', (job: PdfJob) => {
  const outcome: PdfOutcome = { ...problemOf(job), megabytes: process.memoryUsage.rss() / 1e6 };
  process.send?.(outcome);
});
process.on('disconnect', () => process.exit());

function problemOf(job: PdfJob): Omit<PdfOutcome, 'megabytes'> {
  try {
    for (const [name, path] of Object.entries(job.files)) compiler.mapShadow(join(workspace, name), readFileSync(path));
    return { code: undefined, ...make(readFileSync(job.source, 'utf8'), job.target) };
  } catch (error) {
    return { problem: String(error), code: (error as NodeJS.ErrnoException).code, lacksGlyphs: false };
  } finally {
    compiler.resetShadow();
    // Without this call, the compiler remembers every document.
    compiler.evictCache(0);
  }
}

function make(mainFileContent: string, target: string): Pick<PdfOutcome, 'problem' | 'lacksGlyphs'> {
  const compiled = compiler.compile({ mainFileContent, resetRead: true });
  if (!compiled.result) {
    return { problem: JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics), lacksGlyphs: false };
  }
  let pdf: Buffer;
  let lacksGlyphs = false;
  try {
    pdf = compiler.pdf(compiled.result, { pdfStandard: 'ua-1' });
  } catch {
    // The standard rejects characters that no font has, such as emoji.
    pdf = compiler.pdf(compiled.result);
    lacksGlyphs = true;
  }
  writeFileSync(target, pdf, { mode: 0o600 });
  return { problem: null, lacksGlyphs };
}
