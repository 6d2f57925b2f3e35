/**
 * Copies what the service serves as documentation into the package of the server before it is packed, and removes it
 * afterwards: the guides, and the script of the reference with its license. npm runs `node ../../scripts/pack-manual.ts
 * [--remove]` in the folder of the package.
 */
import { cpSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const target = join(root, 'packages', 'server', 'manual');

rmSync(target, { recursive: true, force: true });
if (!process.argv.includes('--remove')) {
  const patterns = ['docs/guides/*.md', 'docs/guides/pictures/*', '{packages,clients}/*/README.md'];
  for (const file of globSync(patterns, { cwd: root })) {
    cpSync(join(root, file), join(target, file));
  }
  const { scriptOfScalar } = await import('@runward/server/internal/http/docs/reference');
  writeFileSync(join(target, 'reference.js'), scriptOfScalar());
  cpSync(join(root, 'node_modules/@scalar/fastify-api-reference/LICENSE'), join(target, 'reference.LICENSE'));
}
