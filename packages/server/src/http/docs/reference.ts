import { createHash } from 'node:crypto';
import { contract } from '@runward/contract';
import { assetPath } from '../../pages/assets.ts';

/** The program that shows the reference. */
export interface Reference {
  /** Where it is served. Contains a hash of it. */
  readonly path: string;
  readonly script: string;
}

let loading: Promise<Reference> | undefined;

/** Loads the program when it is first requested: it has 4 MB. */
export function loadReference(): Promise<Reference> {
  return (loading ??= readScript().then((script) => {
    const hash = createHash('sha256').update(script).digest('base64url').slice(0, 12);
    return { path: `/docs/reference.${hash}.js`, script };
  }));
}

/**
 * Takes the script from the plugin of Scalar for Fastify. Of the packages of Scalar only this one has it as one file and without the 270
 * packages it was built from. It offers the script as a route, so it gets an application that keeps the route.
 */
async function readScript(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const scripts: string[] = [];
  const reply = {
    header: () => reply,
    send: (script: string) => scripts.push(script),
  };
  const application = {
    route: ({ url, handler }: { url: string; handler: (request: null, to: typeof reply) => void }) => {
      if (url.endsWith('.js')) handler(null, reply);
    },
  };
  const register = plugin as unknown as (application: object, options: object, done: () => void) => void;
  register(application, { routePrefix: '/', configuration: { url: contract.openapi.get.path } }, () => {});
  const [script] = scripts;
  if (script === undefined) throw new Error('The package @scalar/fastify-api-reference has no script.');
  return script;
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

/** Starts the reference without anything that calls other services: fonts, telemetry, a proxy, a chat. */
export const startScript = `Scalar.createApiReference('#reference', ${JSON.stringify({
  url: contract.openapi.get.path,
  agent: { disabled: true },
  // A section is focused when it is opened by its link, and is as large as the page.
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
