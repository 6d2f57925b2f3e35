import type { SharedApp } from '@runward/testing/use-shared-app';

type App = Pick<SharedApp, 'baseUrl'>;

/** A page as a browser gets it; redirects are not followed. */
export async function getPage({ baseUrl }: App, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${baseUrl}${path}`, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** What browsers send with the request of a page of another origin. */
export const foreignHeaders: readonly Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1' },
];
