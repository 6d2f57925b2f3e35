import { createRequire } from 'node:module';

/** The version in the manifest of the service, as OpenAPI and the user agent of webhooks state it. */
export const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
