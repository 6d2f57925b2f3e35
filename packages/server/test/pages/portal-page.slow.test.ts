import { useBrowser, accessibilityProblems, hasChromium } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { createPage, publish, publishedPortal } from '../support/portals.ts';
import { portalWithEverything } from '../support/world/portal-with-everything.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;
if (!hasChromium) console.log('Chromium is not installed: the tests of pages in a browser are skipped.');

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
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.setViewportSize(phone);
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
