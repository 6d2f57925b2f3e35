import type { Page } from 'playwright-core';

/** Who signs in. */
export interface Login {
  readonly email: string;
  readonly password: string;
}

/** Fills in the sign-in page that is open, and sends it. */
export async function submitSignIn(page: Page, { email, password }: Login): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
