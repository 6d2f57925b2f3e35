import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';

const run = promisify(execFile);

const hasPoppler = spawnSync('pdftotext', ['-v']).status === 0;
if (!hasPoppler) console.log('poppler-utils is not installed: the tests that read PDFs are skipped.');

/** A test that reads PDFs; skipped without poppler. */
export const testWithPoppler = hasPoppler ? test : test.skip;

/** Text with the characters that typesetting could take for markup, and a path that it must not read. */
export const hostileText = '#read("/etc/passwd") *bold* _it_ $x$ <label> @ref \\ // /* ` ``` ] [ } { "';

/** What poppler says about a PDF: its text, where its words end, its properties, its fonts and its structure. */
export async function inspectPdf(bytes: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'runward-pdf-'));
  try {
    const file = join(folder, 'a.pdf');
    await writeFile(file, bytes);
    const [text, boxes, info, fonts, structure] = await Promise.all([
      run('pdftotext', ['-layout', file, '-']),
      run('pdftotext', ['-bbox', file, '-'], { maxBuffer: 50_000_000 }),
      run('pdfinfo', [file]),
      run('pdffonts', [file]),
      run('pdfinfo', ['-struct', file], { maxBuffer: 50_000_000 }),
    ]);
    return {
      text: text.stdout,
      words: text.stdout.replaceAll(/\s+/g, ' '),
      boxes: [...boxes.stdout.matchAll(/<word .*xMax="([\d.]+)".*?>(.*)<\/word>/g)].map(([, right, word]) => ({
        word,
        right: Number(right),
      })),
      info: info.stdout,
      fonts: fonts.stdout.trim().split('\n').slice(2),
      structure: structure.stdout,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
