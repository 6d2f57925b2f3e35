import { createRequire } from 'node:module';

/** The version of the service, as OpenAPI and the user agent of webhooks state it: that of its manifest. */
export const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
