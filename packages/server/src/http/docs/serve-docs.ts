import { contract } from '@runward/contract';
import type { Context, Next } from 'koa';
import { methodNotAllowed } from '../../api-error.ts';
import type { Asset } from '../../pages/page.ts';
import { version } from '../../version.ts';
import { sendAsset } from '../response/send-asset.ts';
import { readManual } from './manual.ts';
import { loadReference, referencePage, startScript } from './reference.ts';

/** A response for a path of the documentation. */
interface Served {
  readonly contentType: string;
  readonly body: string | Buffer;
}

const openApiYamlPath = '/openapi.yaml';
const referencePath = '/docs';
const startPath = '/docs/start.js';
const overviewPath = '/llms.txt';

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

/**
 * Allows the scripts of the page, and the styles that they set. Nothing is loaded from other origins, and text is never
 * run as code.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * Serves the start page, the interactive API reference, the guides as Markdown and their overview. All come from files
 * of this installation.
 */
export function serveDocs(document: () => object) {
  const manual = readManual();
  return async (ctx: Context, next: Next): Promise<void> => {
    const path = ctx.path.length > 1 && ctx.path.endsWith('/') ? ctx.path.slice(0, -1) : ctx.path;
    const isPage = path === '/' || path === referencePath || path === startPath || path === openApiYamlPath;
    if (!isPage && !path.startsWith(`${referencePath}/`) && path !== overviewPath) return next();
    const served = path === '/' ? null : await find(path);
    if (served === undefined) return next();

    ctx.state['operation'] = 'docs';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      throw methodNotAllowed(ctx.method);
    }
    if (served === null) return welcome(ctx);
    ctx.set('Content-Security-Policy', policy);
    if ('content' in served) return sendAsset(ctx, served);
    ctx.type = served.contentType;
    ctx.body = served.body;
  };

  async function find(path: string): Promise<Served | Asset | undefined> {
    if (path === startPath) return { contentType: script, body: startScript };
    if (path === openApiYamlPath) {
      const { stringify } = await import('yaml');
      return {
        contentType: 'application/yaml; charset=utf-8',
        body: stringify(document(), { aliasDuplicateObjects: false }),
      };
    }
    const page = manual.get(path);
    if (page) return { contentType: page.contentType, body: page.read() };
    const reference = loadReference();
    if (path === referencePath) return { contentType: html, body: referencePage(reference.path, startPath) };
    return path === reference.path ? { contentType: script, ...reference.script } : undefined;
  }
}

/** People get the reference; programs get a list of addresses. */
function welcome(ctx: Context): void {
  ctx.vary('Accept');
  if (ctx.accepts('json', 'html') === 'html') {
    ctx.redirect(referencePath);
    return;
  }
  ctx.body = {
    name: 'Runward',
    version,
    reference: referencePath,
    openapi: contract.openapi.get.path,
    guides: overviewPath,
    health: contract.health.ready.path,
  };
}
