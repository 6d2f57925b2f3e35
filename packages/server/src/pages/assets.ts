import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notFound } from '../api-error.ts';
import type { Asset, PageRequest } from './page.ts';

const folder = join(import.meta.dirname, '../../assets');

const contentTypes = {
  'pages.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

const files = Object.entries(contentTypes).map(([name, contentType]) => {
  const content = readFileSync(join(folder, name));
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  return { name, file: name.replace('.', `.${hash}.`), asset: { contentType, content } };
});
const assets = new Map<string, Asset>(files.map(({ file, asset }) => [file, asset]));
const paths = new Map(files.map(({ name, file }) => [name, `/assets/${file}`]));

/** The path of a file that pages refer to. It contains a hash of the file, so that browsers can keep it. */
export function assetPath(name: keyof typeof contentTypes): string {
  return paths.get(name) ?? '';
}

/** Serves a file by the last segment of its path. Throws a 404 for any other, also for one of another version. */
export async function showAsset({ params }: Pick<PageRequest, 'params'>): Promise<Asset> {
  const asset = assets.get(params['file'] ?? '');
  if (!asset) throw notFound('File');
  return asset;
}
