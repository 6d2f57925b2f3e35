/**
 * Makes the fonts of pages: Inter with the weights and characters that pages use, `npm run fonts`. Run it after an
 * update of the font.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const source = dirname(fileURLToPath(import.meta.resolve('@fontsource-variable/inter/package.json')));
const target = join(import.meta.dirname, '../packages/server/assets/fonts');

/** The characters of each file. A browser loads a file only for a page with one of them. */
const files = {
  latin: `${characters(0x20, 0x7e)}${characters(0xa0, 0xff)}–—‘’“”„•…‹›€™−←↑→↓`,
  'latin-ext': `${characters(0x1_00, 0x1_7f)}ȘșȚțẞ`,
} as const;

for (const [name, text] of Object.entries(files)) {
  const font = readFileSync(join(source, `files/inter-${name}-wght-normal.woff2`));
  const subset = await subsetFont(font, text, {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 700 } },
  });
  writeFileSync(join(target, `inter-${name}.woff2`), subset);
  console.log(`inter-${name}.woff2: ${subset.length} bytes`);
}
copyFileSync(join(source, 'LICENSE'), join(target, 'LICENSE'));

function characters(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('');
}
