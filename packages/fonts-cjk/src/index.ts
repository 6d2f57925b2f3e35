import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The fonts that `npm pack` copied; the repository has none. */
const packed = join(import.meta.dirname, '../font-files');

const inPackage = (module: string, files: readonly string[]) =>
  files.map((file) => join(dirname(fileURLToPath(module)), '../fonts', file));

/** The paths of the fonts: Noto Sans S Chinese, which also has the characters of Japanese, and Noto Sans Korean. */
export const fontPaths: readonly string[] = existsSync(packed)
  ? globSync('*.otf', { cwd: packed }).map((file) => join(packed, file))
  : [
      ...inPackage(import.meta.resolve('@embedpdf/fonts-sc'), ['NotoSansHans-Regular.otf', 'NotoSansHans-Bold.otf']),
      ...inPackage(import.meta.resolve('@embedpdf/fonts-kr'), ['NotoSansKR-Regular.otf', 'NotoSansKR-Bold.otf']),
    ];
