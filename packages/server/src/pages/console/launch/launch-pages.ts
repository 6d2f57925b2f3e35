import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { lazyPage } from '../lazy-page.ts';

const template = `${consolePaths.launch}/:templateId` as const;

/** A launch takes texts for up to 200 variables. */
const maximumFormBytes = 1024 * 1024;

/** The pages on which people launch runs. */
export const launchPages: Readonly<Record<string, Page>> = {
  consoleTemplates: lazyPage('GET', consolePaths.launch, async () => (await import('./templates.ts')).showTemplates),
  consoleLaunch: lazyPage('GET', template, async () => (await import('./launch.ts')).showLaunch),
  consoleSubmitLaunch: lazyPage('POST', template, async () => (await import('./launch.ts')).submitLaunch, {
    maximumFormBytes,
  }),
};
