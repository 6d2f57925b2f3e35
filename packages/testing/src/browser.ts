import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ExecutionContext, TestFn } from 'ava';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Whether this machine has Chromium, as Debian installs it. */
export const hasChromium = existsSync(executablePath);

/**
 * Opens a page in a fresh browser context, and closes it when the work is done. Its errors fail the test, unless the
 * test wants to have them itself.
 */
export type Visit = (
  t: ExecutionContext,
  work: (page: Page) => Promise<void>,
  options?: BrowserContextOptions,
  wanted?: string[],
) => Promise<void>;

/** Starts Chromium when one of the file's tests first needs it, and stops it after the tests. */
export function useBrowser(test: TestFn): Visit {
  let starting: Promise<Browser> | undefined;
  test.after.always(async () => (await starting)?.close());
  return async (t, work, options = {}, wanted) => {
    const browser = await (starting ??= startChromium());
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems = watch(page);
    try {
      await work(page);
    } finally {
      await context.close();
    }
    if (wanted) wanted.push(...problems);
    else t.deepEqual(problems, [], 'errors in the console of the browser');
  };
}

/** Starts Chromium without a window. */
export async function startChromium(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
  });
}

/**
 * Collects what a page should not cause: errors, including violations of its security policy, and files that do not
 * load.
 */
function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    // Chromium also reports this for a page with an error status. Files are checked below.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      problems.push(message.text());
    }
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('response', (response) => {
    // A page says itself what is wrong, also if a script has asked for it.
    const isPage = ['document', 'fetch', 'xhr'].includes(response.request().resourceType());
    if (response.status() >= 400 && !isPage) {
      problems.push(`${response.status()} ${response.url()}`);
    }
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // The next page was opened meanwhile.
    if (reason !== 'net::ERR_ABORTED') problems.push(`${reason} ${request.url()}`);
  });
  return problems;
}

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/**
 * Violations of WCAG 2.2 AA, or of axe's good practices, on a page. Each names its first element. Waits until the page
 * is loaded, because after a click it may not be yet.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.waitForLoadState();
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(`${source};0`);
  const { violations } = await page.evaluate<AxeResult>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
