/**
 * Copies the fonts that a package uses into it before it is packed, with their licenses, and removes them afterwards:
 * the packages that they come from have many times more. npm runs `node ../../scripts/pack-fonts.ts [--remove]` in the
 * folder of the package.
 */
import { cpSync, globSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const target = join(process.cwd(), 'font-files');

rmSync(target, { recursive: true, force: true });
if (!process.argv.includes('--remove')) {
  const { fontPaths } = await fontsOf(basename(process.cwd()));
  for (const path of fontPaths) {
    const [, home = '', name = ''] = /^(.*\/node_modules\/@[^/]+\/([^/]+))\//.exec(path) ?? [];
    cpSync(path, join(target, basename(path)));
    for (const license of globSync('LICENSE*', { cwd: home }))
      cpSync(join(home, license), join(target, `${name}.${license}`));
  }
}

function fontsOf(name: string): Promise<{ readonly fontPaths: readonly string[] }> {
  if (name === 'pdf') return import('@runward/pdf');
  if (name === 'fonts-cjk') return import('@runward/fonts-cjk');
  throw new Error(`The package ${name} has no fonts.`);
}
