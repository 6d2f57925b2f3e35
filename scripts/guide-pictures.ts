/**
 * Makes the pictures of the guides: `npm run pictures [-- FOLDER]`. Fills the service with fictional runs of the last
 * three months on a throw-away database, publishes a portal, and takes screenshots of it in Chromium. The default
 * folder is `docs/guides/pictures`. Needs Chromium, and `pdftoppm` for the picture of a PDF. The output of the demo
 * becomes a picture, too.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { contract } from '@runward/contract';
import { startApp, type TestApp } from '@runward/testing/app';
import { startChromium } from '@runward/testing/browser';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { runDemo, terminalPicture } from './pictures/demo.ts';
import { addSuppliers } from './pictures/suppliers.ts';
import { onTestDatabase } from './test-database.ts';

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '..', 'docs', 'guides', 'pictures'));
const wide: BrowserContextOptions = { viewport: { width: 1100, height: 1000 } };
const phone: BrowserContextOptions = { viewport: { width: 390, height: 1000 } };

await mkdir(folder, { recursive: true });
await onTestDatabase(async (environment) => {
  Object.assign(process.env, environment);
  await using stack = new AsyncDisposableStack();
  const app = await startApp(stack);
  const org = await newOrganization(app, { timeZone: 'Europe/Berlin' });
  const slug = await addSuppliers(app, org);
  await takeScreenshots(app, slug);
  await takeConsole(app, org);
  await printAnalytics(app, org);
});
await writeFile(join(folder, 'demo.svg'), terminalPicture('npm run demo', runDemo()));

async function takeScreenshots({ baseUrl }: TestApp, slug: string): Promise<void> {
  const browser = await startChromium();
  try {
    const take = async (name: string, path: string, options: BrowserContextOptions, prepare?: Prepare) => {
      const page = await browser.newPage(options);
      await page.goto(`${baseUrl}${path}`);
      await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))');
      await prepare?.(page);
      await save(name, await page.screenshot({ animations: 'disabled', fullPage: options !== phone }));
      await page.close();
    };
    await take('portal', `/p/${slug}`, wide);
    await take('portal-phone', `/p/${slug}`, phone);
    await take('portal-phone-dark', `/p/${slug}/figures`, { ...phone, colorScheme: 'dark' });
    await take('analytics-reports', `/p/${slug}/figures`, wide, showFirstTable);
  } finally {
    await browser.close();
  }
}

/** Takes the pages on which a member of the organization works. */
async function takeConsole({ baseUrl }: TestApp, org: TestOrganization): Promise<void> {
  const runs = await must(org.api.call('runs', 'list', { query: { status: 'RUNNING', limit: 6 } }));
  for (const [index, { id }] of runs.data.entries()) {
    const { tasks } = await must(org.api.call('runs', 'get', { params: { id } }));
    const taskId = tasks.find(({ status }) => status === 'PENDING')?.runTaskId;
    if (taskId === undefined) continue;
    await must(
      org.api.call('runs.tasks', 'setAssignee', { params: { taskId }, body: { assigneeId: org.ownerUserId } }),
    );
    const days = [-2, 0.2, 3, 20][index];
    if (days === undefined) continue;
    const dueAt = new Date(Date.now() + days * 86_400_000).toISOString();
    await must(org.api.call('runs.tasks', 'setDueDate', { params: { taskId }, body: { dueAt } }));
  }
  const browser = await startChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
    await page.goto(`${baseUrl}/console/tasks`);
    await page.getByLabel('Email address').fill(org.ownerEmail);
    await page.getByLabel('Password').fill(org.ownerPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    await save('console-tasks', await page.screenshot());
    await page.goto(`${baseUrl}/console/runs`);
    await save('console-runs', await page.screenshot());
  } finally {
    await browser.close();
  }
}

type Prepare = (page: Page) => Promise<void>;

async function showFirstTable(page: Page): Promise<void> {
  await page.getByText('Show the data').first().click();
}

/** The first page of the PDF of analytics. */
async function printAnalytics({ baseUrl }: TestApp, { apiKey }: TestOrganization): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${baseUrl}${contract.analytics.exportPdf.path}`, { headers });
  const pdf = Buffer.from(await response.arrayBuffer());
  await save('analytics-pdf', execFileSync('pdftoppm', ['-png', '-r', '80', '-l', '1', '-'], { input: pdf }));
}

async function save(name: string, png: Buffer): Promise<void> {
  const path = join(folder, `${name}.webp`);
  const { size } = await sharp(png).webp({ quality: 80, effort: 6 }).toFile(path);
  console.log(`${path}: ${Math.round(size / 1_000)} kB`);
}
