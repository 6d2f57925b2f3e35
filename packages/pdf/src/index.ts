import { existsSync, globSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A message to the process: the paths that it reads and writes. It stays small, because sending a large one blocks. */
export interface PdfJob {
  /** Path of the Typst file. */
  readonly source: string;
  /** The paths of the files that the Typst file reads, by absolute names like `/run.json`. */
  readonly files: Readonly<Record<string, string>>;
  /** Path of the PDF. */
  readonly target: string;
}

/**
 * The result of a job: the problem with its error code, or null, whether the document has characters that no font has,
 * and the memory that the process uses afterwards.
 */
export interface PdfOutcome {
  readonly problem: string | null;
  readonly code: string | undefined;
  readonly lacksGlyphs: boolean;
  readonly megabytes: number;
}

/**
 * The program that makes PDFs, to be forked with the arguments MEGABYTES, the limit of its memory, and FONT ..., paths
 * of fonts or of folders with fonts. It does one {@link PdfJob} per message and reports its {@link PdfOutcome}.
 */
export const program = join(import.meta.dirname, `process${extname(import.meta.filename)}`);

/** The fonts that `npm pack` copied; the repository has none. */
const packed = join(import.meta.dirname, '../font-files');

const weights = ['400Regular/NotoSans', '600SemiBold/NotoSans'] as const;
const fonts = [
  ...weights.flatMap((weight) =>
    ['', 'Hebrew'].map(
      (script) => `noto-sans${script && `-${script.toLowerCase()}`}/${weight}${script}_${weight.split('/')[0]}.ttf`,
    ),
  ),
  // PDF readers find words in this font. With most other fonts they extract text with repeated or exchanged letters.
  'amiri/400Regular/Amiri_400Regular.ttf',
  'amiri/700Bold/Amiri_700Bold.ttf',
];

/** The paths of the fonts for Latin, Cyrillic, Greek, Devanagari, Arabic and Hebrew. */
export const fontPaths: readonly string[] = existsSync(packed)
  ? globSync('*.ttf', { cwd: packed }).map((file) => join(packed, file))
  : fonts.map((path) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/${path}`)));
