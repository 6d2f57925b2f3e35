import { createRequire } from 'node:module';

/** The version of this package: that of its manifest. */
export const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
