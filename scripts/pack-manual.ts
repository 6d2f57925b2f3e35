/**
 * Copies the guides into the package of the server before it is packed, because the service serves them, and removes them afterwards:
 * npm runs `node ../../scripts/pack-manual.ts [--remove]` in the folder of the package.
 */
import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const target = join(root, 'packages', 'server', 'manual');

rmSync(target, { recursive: true, force: true });
if (!process.argv.includes('--remove')) {
  for (const file of globSync(['docs/guides/*.md', 'docs/guides/pictures/*', 'packages/*/README.md'], { cwd: root })) {
    cpSync(join(root, file), join(target, file));
  }
}
