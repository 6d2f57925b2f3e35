import { useBrowser, accessibilityProblems, hasChromium } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import type { Page } from 'playwright-core';
import { createPage, publish, publishedPortal } from '../support/portals.ts';
import { portalWithEverything } from '../support/world/portal-with-everything.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;
if (!hasChromium) console.log('Chromium is not installed: the tests of pages in a browser are skipped.');

const folder = process.env['SCREENSHOTS'];

async function picture(page: Page, name: string) {
  if (folder) await page.screenshot({ path: `${folder}/portal-${name}.png`, fullPage: true });
}

const phone = { width: 320, height: 720 };

withChromium(
  'a page with every block is accessible in light and dark colors, on a phone and a wide screen',
  async (t) => {
    const { api } = await newOrganization(app);
    const { portal } = await portalWithEverything(api);
    await createPage(api, portal.id, 'second');
    await publish(api, portal.id);
    await visit(
      t,
      async (page) => {
        await page.goto(`${app.baseUrl}/p/${portal.slug}`);
        t.is(await page.title(), 'Suppliers');
        t.deepEqual(await accessibilityProblems(page), []);
        await picture(page, 'light-1280');
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.setViewportSize(phone);
        await picture(page, 'dark-320');
        t.deepEqual(await accessibilityProblems(page), []);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        t.true(overflow <= 0, `nothing is wider than a phone (${overflow})`);
        const image = page.getByRole('img', { name: 'A pixel' });
        await image.scrollIntoViewIfNeeded();
        await image.evaluate('(image) => image.decode()');

        t.is(await page.getByRole('img', { name: /^Chart: / }).count(), 5);
        const cards = page.getByRole('table', { name: 'In progress' });
        t.deepEqual(await cards.getByRole('rowheader').allInnerTexts(), ['Umbrella', 'Initech', 'Globex', 'Acme']);
        await page.emulateMedia({ media: 'print' });
        t.true(await page.getByText('Cancelled').last().isVisible(), 'data of charts is printed');
        t.false(await page.getByRole('navigation').isVisible());
      },
      { viewport: { width: 1280, height: 900 } },
    );
  },
);

/** The words of headings, of columns too, and of the menu that are broken over two lines. */
const brokenWords = `[...document.querySelectorAll('thead th, h1, h2, h3, nav a, .status')].flatMap((each) => {
  const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (walker.nextNode()) for (const word of walker.currentNode.data.matchAll(/\\S+/g)) {
    const range = document.createRange();
    range.setStart(walker.currentNode, word.index);
    range.setEnd(walker.currentNode, word.index + word[0].length);
    if (range.getClientRects().length > 1) broken.push(word[0]);
  }
  return broken;
})`;

withChromium('no word of a heading, a column or the menu is broken beside a long title', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  for (const title of ['Renewal of the framework agreement '.repeat(7).trim(), 'x'.repeat(200)])
    await launchRun(api, templateId, { title });
  const { portal } = await publishedPortal(
    api,
    [{ type: 'RUN_LIST', title: 'Agreements of all suppliers', filters: {} }],
    {
      audience: 'PUBLIC',
      name: 'Agreements with the suppliers of the branch offices of all countries in which we have one or more of them',
    },
  );
  for (const slug of ['responsibilities', 'announcements', 'terms']) await createPage(api, portal.id, slug);
  await publish(api, portal.id);
  await visit(t, async (page) => {
    await page.goto(`${app.baseUrl}/p/${portal.slug}`);
    await page.getByRole('heading', { name: 'Agreements of all suppliers' }).waitFor();
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      t.deepEqual(await page.evaluate(brokenWords), [], `${width} px`);
      t.true(await page.evaluate(`document.documentElement.scrollWidth <= ${width}`), `${width} px`);
      await picture(page, `long-${width}`);
    }
  });
});

withChromium('a portal works with the keyboard alone and without JavaScript', async (t) => {
  const { api } = await newOrganization(app);
  const { portal } = await publishedPortal(api, [
    { type: 'REPORT', report: { metric: 'RUNS', filters: {}, groupBy: 'STATUS', chart: 'BAR' } },
  ]);
  await createPage(api, portal.id, 'second', [{ type: 'HEADING', text: 'There', level: 2 }]);
  await publish(api, portal.id);
  await visit(
    t,
    async (page) => {
      await page.goto(`${app.baseUrl}/p/${portal.slug}`);
      const focused = page.locator(':focus');
      const names: string[] = [];
      for (let presses = 0; presses < 5; presses += 1) {
        await page.keyboard.press('Tab');
        names.push(await focused.innerText());
      }
      t.deepEqual(names, ['Skip to content', 'Portal', 'page', 'second', 'Show the data']);
      t.false(await page.getByRole('table').isVisible());
      await page.keyboard.press('Enter');
      t.true(await page.getByRole('table').isVisible());
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'There' }).waitFor();
      t.is(new URL(page.url()).pathname, `/p/${portal.slug}/second`);
      t.is(await page.getByRole('link', { name: 'second' }).getAttribute('aria-current'), 'page');
    },
    { javaScriptEnabled: false },
  );
});
