/**
 * Makes PDFs with Typst in a separate process, so that its memory, its time and its faults do not affect the service.
 * `pdf-process.ts MEGABYTES [FONTS]` does one {@link PdfJob} per message and reports its {@link PdfOutcome}. The
 * process kills itself when it needs more memory, or when the service has ended. A thread watches for that, because
 * laying out a document blocks.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import type { PdfJob, PdfOutcome } from './pdf.ts';

const [megabytes, fontsDir] = process.argv.slice(2);

const watch = `
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent || process.memoryUsage.rss() > ${Number(megabytes)} * 1e6) process.kill(process.pid, 'SIGKILL');
  }, 250);
`;
new Worker(watch, { eval: true }).unref();

const folderOf = (module: string, ...path: string[]) =>
  join(dirname(fileURLToPath(import.meta.resolve(module))), ...path);

const weights = ['400Regular/NotoSans', '600SemiBold/NotoSans'] as const;
const fonts = [
  ...weights.flatMap((weight) =>
    ['', 'Hebrew'].map((script) =>
      folderOf(
        `@expo-google-fonts/noto-sans${script && `-${script.toLowerCase()}`}/${weight}${script}_${weight.split('/')[0]}.ttf`,
      ),
    ),
  ),
  // PDF readers find words in this font. With most other fonts they extract text with repeated or exchanged letters.
  folderOf('@expo-google-fonts/amiri/400Regular/Amiri_400Regular.ttf'),
  folderOf('@expo-google-fonts/amiri/700Bold/Amiri_700Bold.ttf'),
  folderOf('@embedpdf/fonts-sc', '..', 'fonts'),
  folderOf('@embedpdf/fonts-kr', '..', 'fonts'),
];

/** This folder does not exist: nothing is read from disk, because every file of a document is supplied by name. */
const workspace = '/runward-document';
const compiler = NodeCompiler.create({
  workspace,
  fontArgs: [{ fontPaths: [...fonts, ...(fontsDir === undefined ? [] : [fontsDir])] }],
});

process.on('message', (job: PdfJob) => {
  const outcome: PdfOutcome = { ...problemOf(job), megabytes: process.memoryUsage.rss() / 1e6 };
  process.send?.(outcome);
});
process.on('disconnect', () => process.exit());

function problemOf(job: PdfJob): Omit<PdfOutcome, 'megabytes'> {
  try {
    for (const [name, path] of Object.entries(job.files)) compiler.mapShadow(join(workspace, name), readFileSync(path));
    return { problem: make(readFileSync(job.source, 'utf8'), job.target), code: undefined };
  } catch (error) {
    return { problem: String(error), code: (error as NodeJS.ErrnoException).code };
  } finally {
    compiler.resetShadow();
    // Without this call, the compiler remembers every document.
    compiler.evictCache(0);
  }
}

function make(mainFileContent: string, target: string): string | null {
  const compiled = compiler.compile({ mainFileContent, resetRead: true });
  if (!compiled.result) return JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics);
  let pdf: Buffer;
  try {
    pdf = compiler.pdf(compiled.result, { pdfStandard: 'ua-1' });
  } catch {
    // The standard rejects characters that no font has, such as emoji.
    pdf = compiler.pdf(compiled.result);
  }
  writeFileSync(target, pdf, { mode: 0o600 });
  return null;
}
