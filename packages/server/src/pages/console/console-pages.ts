import type { Page } from '../page.ts';
import { keyPages } from './keys/key-pages.ts';
import { launchPages } from './launch/launch-pages.ts';
import { runPages } from './runs/run-pages.ts';
import { taskPages } from './tasks/task-pages.ts';

/** The pages of the console, by their names in the log and the metrics. */
export const consolePages: Readonly<Record<string, Page>> = {
  ...taskPages,
  ...runPages,
  ...launchPages,
  ...keyPages,
};
