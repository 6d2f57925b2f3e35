import { setTimeout as sleep } from 'node:timers/promises';
import { accessibilityProblems, hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { atConsole } from '../../../support/stories/at-console.ts';
import { consoleUrls } from '../../../support/stories/console-urls.ts';
import { newWorld } from '../../../support/world/world.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

/** A window 1280 px wide, at a zoom of 200 %. */
const zoomed = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };

/** How far the parts of a page move while it loads (the browser's layout shifts, without unit): 0 if none does. */
const layoutShift = `document.fonts.ready.then(() => new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
    .observe({ type: 'layout-shift', buffered: true });
  setTimeout(resolve, 100, 0);
}))`;

/** Shows what is folded, too. */
const unfold = `for (const details of document.querySelectorAll('details')) details.open = true;`;

withChromium(
  'every screen of the console fits a window at 200 %, stays in place while a slow font loads, and is accessible in light and dark',
  async (t) => {
    const org = await newOrganization(app);
    await using receiver = await startReceiver();
    const { urls, missing } = consoleUrls((await newWorld(app, org, receiver.url)).ids);
    t.deepEqual(missing, []);
    const work: Parameters<typeof visit>[1] = async (page) => {
      const { signIn, picture } = atConsole(app, page);
      await page.route('**/*.woff2', async (route) => {
        await sleep(300);
        await route.continue();
      });
      await signIn({ email: org.ownerEmail, password: org.ownerPassword });
      for (const { name, path } of urls) {
        const url = `${app.baseUrl}${path}`;
        const answer = await page.request.get(url, { maxRedirects: 0 });
        if (answer.status() === 303) {
          t.notRegex(answer.headers()['location'] ?? '', /sign-in/, path);
          continue;
        }
        t.is(answer.status(), 200, `${name}: ${path} shows an error; add what it needs to console-urls.ts`);
        await page.goto(url);
        t.is(await page.evaluate(layoutShift), 0, `${name}: ${path} moves while it loads`);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          t.deepEqual(await accessibilityProblems(page), [], `${name}: ${path}, ${colorScheme}`);
          t.true(
            await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
            `${name}: ${path} overflows`,
          );
          await page.evaluate(unfold);
        }
        await picture(name);
        await page.setViewportSize(zoomed.viewport);
      }
    };
    await visit(t, work, zoomed);
  },
);
