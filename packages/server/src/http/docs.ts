import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { contract } from '@runward/contract';
import { send } from '@koa/send';
import type { Context, Next } from 'koa';

const prefix = '/docs';
const assets = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);
const assetFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Runward API</title>
<link rel="stylesheet" href="${prefix}/swagger-ui.css">
<link rel="icon" href="${prefix}/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="${prefix}/swagger-ui-bundle.js" charset="utf-8"></script>
<script src="${prefix}/start.js" charset="utf-8"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: '${contract.openapi.get.path}',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
});
`;

/** Serves the interactive API reference, only from files of this installation. */
export function serveDocs() {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.method !== 'GET' || (ctx.path !== prefix && !ctx.path.startsWith(`${prefix}/`))) return next();

    ctx.state['operation'] = 'docs';
    // Allows the scripts and styles of the page; nothing is loaded from other origins.
    ctx.set(
      'content-security-policy',
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    const name = ctx.path.slice(prefix.length + 1);
    if (name === '') {
      ctx.type = 'text/html; charset=utf-8';
      ctx.body = page;
    } else if (name === 'start.js') {
      ctx.type = 'text/javascript; charset=utf-8';
      ctx.body = start;
    } else if (assets.has(name)) {
      await send(ctx, name, { root: assetFolder });
      if (name.endsWith('.js')) ctx.type = 'text/javascript; charset=utf-8';
    } else {
      return next();
    }
  };
}
