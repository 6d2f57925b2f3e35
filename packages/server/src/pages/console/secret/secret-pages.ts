import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { lazyPage } from '../lazy-page.ts';

/** The pages on which owners and admins see and rotate the signing secret. */
export const secretPages: Readonly<Record<string, Page>> = {
  consoleSecret: lazyPage('GET', consolePaths.secret, async () => (await import('./secret.ts')).showSecret),
  consoleRotateSecret: lazyPage('POST', `${consolePaths.secret}/rotate`, async () =>
    administratorsOnly((await import('./rotate-secret.ts')).rotateSecret),
  ),
};
