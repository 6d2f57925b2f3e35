/**
 * Writes what packages need from the contract, without its large schemas: `npm run generate`. Run it after each change
 * of the contract. `scripts/test/generate.test.ts` fails if a file is out of date.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorGuide, errorGuideIn } from './generate/error-table.ts';
import { generatedFiles } from './generate/files.ts';
import { contentOf } from './generate/format.ts';

const root = join(import.meta.dirname, '..');
for (const file of generatedFiles) {
  writeFileSync(join(root, file.path), await contentOf(file));
  console.log(file.path);
}
writeFileSync(join(root, errorGuide), await errorGuideIn(root));
console.log(errorGuide);
