import type { SharedApp } from '@runward/testing/use-shared-app';
import type { Page } from 'playwright-core';
import { submitSignIn, type Login } from './submit-sign-in.ts';

const folder = process.env['SCREENSHOTS'];
let pictures = 0;

/** What a person does in the console, by the words on its pages. Nothing of it needs scripts. */
export function atConsole({ baseUrl }: Pick<SharedApp, 'baseUrl'>, page: Page) {
  const main = page.getByRole('main');
  const press = (name: string) => main.getByRole('button', { name, exact: true }).click();
  const open = async (path = '') => void (await page.goto(`${baseUrl}/console${path}`));
  return {
    open,
    press,
    follow: (name: string) => main.getByRole('link', { name, exact: true }).first().click(),
    /** Follows a link of the header, or of the settings. */
    goTo: (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).first().click(),
    /** Waits for a heading, which says which page or part of it is shown. */
    reads: (name: string) => page.getByRole('heading', { name, exact: true }).waitFor(),
    /** Waits for what the page says about the last form. */
    isTold: (text: string) => main.getByRole('status').getByText(text).waitFor(),
    signIn: async (login: Login, path = '') => {
      await open(path);
      await submitSignIn(page, login);
      await page.getByRole('navigation', { name: 'Console' }).waitFor();
    },
    signOut: async () => {
      await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    },
    /** Writes pictures of the page for people to look at, if the environment names a folder for them. */
    picture: async (name: string) => {
      if (folder === undefined) return;
      pictures += 1;
      for (const width of [375, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        const path = `${folder}/${String(pictures).padStart(2, '0')}-${name}-${width}.png`;
        await page.screenshot({ path, fullPage: true });
      }
    },
  };
}
