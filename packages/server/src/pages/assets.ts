import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notFound } from '../api-error.ts';
import type { Asset, PageRequest } from './page.ts';

const folder = join(import.meta.dirname, '../../assets');

/** The parts of the style sheet. A later one wins over an earlier one. */
const styles = ['tokens', 'base', 'portal', 'forms', 'console', 'settings', 'narrow', 'print'] as const;

/** The files that pages refer to. */
const sources = {
  'pages.css': {
    contentType: 'text/css; charset=utf-8',
    read: () => Buffer.concat(styles.map((name) => readFileSync(join(folder, 'styles', `${name}.css`)))),
  },
  'icon.svg': { contentType: 'image/svg+xml', read: () => readFileSync(join(folder, 'icon.svg')) },
} as const;

const files = Object.entries(sources).map(([name, { contentType, read }]) => {
  const content = read();
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  return { name, file: name.replace('.', `.${hash}.`), asset: { contentType, content } };
});
const assets = new Map<string, Asset>(files.map(({ file, asset }) => [file, asset]));
const paths = new Map(files.map(({ name, file }) => [name, `/assets/${file}`]));

/** The path of a file that pages refer to. It contains a hash of the file, so that browsers can keep it. */
export function assetPath(name: keyof typeof sources): string {
  return paths.get(name) ?? '';
}

/** Serves a file by the last segment of its path. Throws a 404 for any other, also for one of another version. */
export async function showAsset({ params }: Pick<PageRequest, 'params'>): Promise<Asset> {
  const asset = assets.get(params['file'] ?? '');
  if (!asset) throw notFound('File');
  return asset;
}
