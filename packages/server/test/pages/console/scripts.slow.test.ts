import { hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import type { Page } from 'playwright-core';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

async function begin(...titles: string[]) {
  const org = await newOrganization(app);
  const launch = async (title: string) => {
    const { templateId } = await publishProcess(org.api, [{ title, assigneeId: org.ownerUserId }]);
    await launchRun(org.api, templateId);
  };
  for (const title of titles) await launch(title);
  const open = async (page: Page, path: string) => {
    await page.goto(`${app.baseUrl}${path}`);
    await page.getByLabel('Email address').fill(org.ownerEmail);
    await page.getByLabel('Password').fill(org.ownerPassword);
    await page.keyboard.press('Enter');
    // The list is there before scripts have begun.
    await page.locator('[data-htmx-powered]').waitFor();
  };
  return { launch, open };
}

withChromium('a list shows what is new after half a minute, but not while somebody points at it', async (t) => {
  const { launch, open } = await begin('First');
  await visit(t, async (page) => {
    await page.clock.install();
    await open(page, '/console/tasks');
    await page.getByRole('link', { name: 'First' }).hover();
    await launch('Second');
    await page.clock.runFor(31_000);
    await page.waitForTimeout(500);
    t.is(await page.getByRole('link', { name: 'Second' }).count(), 0);
    await page.mouse.move(0, 0);
    await page.clock.runFor(31_000);
    await page.getByRole('link', { name: 'Second' }).waitFor();
  });
});

withChromium('a double click sends a form once', async (t) => {
  const { open } = await begin('First');
  await visit(t, async (page) => {
    await open(page, '/console/tasks');
    await page.getByRole('link', { name: 'First' }).click();
    await page.getByLabel('Add a comment').fill('Only once');
    // The service gets the first request before the second click, and responds after it.
    const { promise: clicked, resolve } = Promise.withResolvers<void>();
    let requests = 0;
    await page.route('**/comments', async (route) => {
      requests += 1;
      await clicked;
      await route.continue();
    });
    const button = page.getByRole('button', { name: 'Comment', exact: true });
    await button.scrollIntoViewIfNeeded();
    const { x = 0, y = 0 } = (await button.boundingBox()) ?? {};
    await page.mouse.click(x + 5, y + 5);
    await page.waitForTimeout(100);
    await page.mouse.click(x + 5, y + 5);
    await page.waitForTimeout(300);
    resolve();
    await page.getByText('Your comment is added.').waitFor();
    await page.waitForLoadState();
    t.is(requests, 1);
    t.is(await page.locator('.comments li').count(), 1);
  });
});

withChromium('a list is worked through with j, k and Enter, and ? lists the keys', async (t) => {
  const { open } = await begin('First', 'Second');
  await visit(t, async (page) => {
    await open(page, '/console/tasks');
    const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
    const [first = '', second = ''] = await page.locator('.rows a').allTextContents();
    await page.keyboard.press('j');
    t.is(await focused(), first);
    await page.keyboard.press('j');
    t.is(await focused(), second);
    await page.keyboard.press('k');
    t.is(await focused(), first);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Next, previous in a list').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: first }).waitFor();
  });
});
