import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { contract } from '@runward/contract';
import { assetPath } from '../../pages/assets.ts';
import type { Asset } from '../../pages/page.ts';

/** The program that shows the reference. */
export interface Reference {
  /** The path that it is served at, which contains its hash. */
  readonly path: string;
  readonly script: Pick<Asset, 'content' | 'gzip'>;
}

/** The copy that `npm pack` made; the repository has none. */
const packed = join(import.meta.dirname, '../../../manual/reference.js');

let loaded: Reference | undefined;

/** Loads and compresses the program when it is first requested, because it has 4 MB. */
export function loadReference(): Reference {
  if (loaded) return loaded;
  const content = existsSync(packed) ? readFileSync(packed) : Buffer.from(scriptOfScalar());
  const digest = hash('sha256', content, 'base64url').slice(0, 12);
  return (loaded = { path: `/docs/reference.${digest}.js`, script: { content, gzip: gzipSync(content) } });
}

/**
 * The script of Scalar, as a string from the module of a development dependency. Among the packages of Scalar, only
 * this one has the script in one piece, and without the 270 packages it was built from.
 */
export function scriptOfScalar(): string {
  const module = readFileSync(fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference')), 'utf8');
  const [, literal] = /^var standalone_default = (".*");$/m.exec(module) ?? [];
  if (literal === undefined) throw new Error('The module of @scalar/fastify-api-reference has no script.');
  return String(runInNewContext(literal));
}

/** The page with the reference. */
export function referencePage(scriptPath: string, startPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Runward API</title>
<link rel="icon" type="image/svg+xml" href="${assetPath('icon.svg')}">
</head>
<body>
<div id="reference"></div>
<noscript>The reference needs JavaScript. <a href="${contract.openapi.get.path}">The OpenAPI document</a> and <a href="/llms.txt">the guides</a> do not.</noscript>
<script src="${scriptPath}"></script>
<script src="${startPath}"></script>
</body>
</html>
`;
}

/** Starts the reference without features that call other services: fonts, telemetry, a proxy, a chat. */
export const startScript = `Scalar.createApiReference('#reference', ${JSON.stringify({
  url: contract.openapi.get.path,
  agent: { disabled: true },
  // A section gets the focus when it is opened by its link. Its outline would be as large as the page.
  customCss: 'section:focus-visible { outline: none; }',
  authentication: { preferredSecurityScheme: 'apiKey' },
  documentDownloadType: 'json',
  hideClientButton: true,
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
})});
`;
