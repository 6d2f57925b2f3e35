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

let callers = 0;

/** A network address that no other test uses, so that tests do not throttle each other. */
function newAddress(): string {
  callers += 1;
  return `10.77.${Math.floor(callers / 250)}.${(callers % 250) + 1}`;
}

/** A browser without pages: it keeps cookies and sends forms. */
export function newClient(app: App) {
  const cookies = new Map<string, string>();
  const address = newAddress();
  const send = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map((each) => each.join('=')).join('; ');
    const headers = { cookie, 'x-forwarded-for': address, ...(init.headers as Record<string, string> | undefined) };
    const response = await fetch(`${app.baseUrl}${path}`, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  const submit = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  return {
    cookies,
    get: (path: string) => send(path),
    submit,
    /** Opens the form for signing in and sends it. */
    signIn: async (email: string, password: string, next = '') => {
      const { html } = await send(`/sign-in?next=${encodeURIComponent(next)}`);
      return submit('/sign-in', { ...fieldsOf(html), email, password });
    },
  };
}

/** The hidden fields of the form on a page. */
export function fieldsOf(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}
