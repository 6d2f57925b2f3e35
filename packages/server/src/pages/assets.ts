import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { notFound } from '../api-error.ts';
import type { Asset, PageRequest } from './page.ts';

const folder = join(import.meta.dirname, '../../assets');
const script = 'text/javascript; charset=utf-8';

/** The parts of the style sheet. A later one wins over an earlier one. */
const styles = [
  'fonts',
  'tokens',
  'base',
  'portal',
  'status',
  'forms',
  'console',
  'settings',
  'overview',
  'narrow',
  'print',
] as const;

const fonts = ['inter-latin.woff2', 'inter-latin-ext.woff2'].map((name) =>
  fileOf(name, 'font/woff2', own(`fonts/${name}`)),
);
const files = [
  ...fonts,
  fileOf('pages.css', 'text/css; charset=utf-8', styleSheet()),
  fileOf('icon.svg', 'image/svg+xml', own('icon.svg')),
  fileOf('console.js', script, own('scripts/console.js')),
  fileOf('passkeys.js', script, own('scripts/passkeys.js')),
  fileOf('task.js', script, own('scripts/task.js')),
  fileOf('htmx.js', script, readFileSync(resolved('htmx.org/dist/htmx.min.js'))),
  fileOf('signature-pad.js', script, readFileSync(join(dirname(resolved('signature_pad')), 'signature_pad.min.js'))),
];
const assets = new Map(files.map(({ file, asset }) => [file, asset]));
const paths = new Map(files.map(({ name, file }) => [name, pathOf(file)]));

/** The name of a file that pages refer to. */
type AssetName =
  | 'inter-latin.woff2'
  | 'pages.css'
  | 'icon.svg'
  | 'console.js'
  | 'passkeys.js'
  | 'task.js'
  | 'htmx.js'
  | 'signature-pad.js';

/** The path of a file that pages refer to. It contains a hash of the file, so that browsers can keep it. */
export function assetPath(name: AssetName): string {
  return paths.get(name) ?? '';
}

/** Serves a file by the last segment of its path. Throws a 404 for any other, also for one of another version. */
export async function showAsset({ params }: Pick<PageRequest, 'params'>): Promise<Asset> {
  const asset = assets.get(params['file'] ?? '');
  if (!asset) throw notFound('File');
  return asset;
}

interface AssetFile {
  readonly name: string;
  /** The name with a hash of the content. */
  readonly file: string;
  readonly asset: Asset;
}

function fileOf(name: string, contentType: string, content: Buffer): AssetFile {
  const digest = hash('sha256', content, 'base64url').slice(0, 12);
  // A font is compressed already.
  const gzip = contentType.startsWith('font/') ? undefined : gzipSync(content, { level: 9 });
  const file = name.replace(/\.(?=\w+$)/, `.${digest}.`);
  return { name, file, asset: { contentType, content, ...(gzip && { gzip }) } };
}

/** All parts of the style, in which the names of fonts become their paths. */
function styleSheet(): Buffer {
  const text = styles.map((name) => own(`styles/${name}.css`).toString()).join('');
  return Buffer.from(
    fonts.reduce((css, { name, file }) => css.replace(`url('${name}')`, `url('${pathOf(file)}')`), text),
  );
}

function pathOf(file: string): string {
  return `/assets/${file}`;
}

function own(path: string): Buffer {
  return readFileSync(join(folder, path));
}

function resolved(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier));
}
