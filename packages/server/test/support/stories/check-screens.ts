import { accessibilityProblems } from '@runward/testing/browser';
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';

const folder = process.env['SCREENSHOTS'];

/**
 * Returns what checks that a page is accessible and fits phones, tablets and large screens. It also writes pictures for
 * people to look at, if the environment names a folder for them.
 */
export function checkScreens(t: ExecutionContext, colorScheme: 'light' | 'dark') {
  return async (page: Page, name: string): Promise<void> => {
    t.deepEqual(await accessibilityProblems(page), [], name);
    for (const width of [375, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      t.true(await page.evaluate(`document.documentElement.scrollWidth <= ${width}`), `${name}: ${width} px`);
      if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
  };
}
