import { randomBytes } from 'node:crypto';
import type { SharedApp } from './use-shared-app.ts';

type App = Pick<SharedApp, 'baseUrl'>;

/** No request waits longer than this for its page. */
const timeoutMs = 60_000;

/**
 * A network address that no other test uses, also not of another file that shares the service, so that tests do not
 * throttle each other.
 */
export function newAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`;
}

/** A browser without pages: it keeps cookies and sends forms. */
export function newClient(app: App) {
  const cookies = new Map<string, string>();
  const address = newAddress();
  const send = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map((each) => each.join('=')).join('; ');
    const headers = { cookie, 'x-forwarded-for': address, ...(init.headers as Record<string, string> | undefined) };
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${app.baseUrl}${path}`, { redirect: 'manual', signal, ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  const submit = (
    path: string,
    fields: Record<string, string> | URLSearchParams | [string, string][],
    headers: Record<string, string> = {},
  ) => send(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  return {
    cookies,
    get: (path: string) => send(path),
    submit,
    /** Sends a form with a file, or any other as it is. */
    upload: (path: string, body: FormData | URLSearchParams, headers: Record<string, string> = {}) =>
      send(path, { method: 'POST', body, headers }),
    /** Opens the form for signing in and sends it. */
    signIn: async (email: string, password: string, next = '') => {
      const { html } = await send(`/sign-in?next=${encodeURIComponent(next)}`);
      return submit('/sign-in', { ...fieldsOf(html), email, password });
    },
  };
}

/** The hidden fields of the form on a page. */
export function fieldsOf(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, unescaped(value)]));
}

/** What a browser without scripts would send for the first form on a page that contains a text. */
export function formWith(html: string, text: string): { readonly action: string; readonly fields: URLSearchParams } {
  const form = [...html.matchAll(/<form[^>]*>[^]*?<\/form>/g)]
    .map(([each]) => each)
    .find((each) => each.includes(text));
  if (form === undefined) throw new Error(`There is no form with "${text}".`);
  const fields = new URLSearchParams();
  const controls = form.matchAll(/<(?:(input)([^>]*)|(?:(textarea|select)([^>]*)>([^]*?)<\/(?:textarea|select)))>/g);
  for (const [, input, ofInput, other, ofOther, content = ''] of controls) {
    const [tag, attributes = ''] = [input ?? other, ofInput ?? ofOther];
    const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
    const name = attribute('name');
    const isUnchecked = /type="(?:radio|checkbox)"/.test(attributes) && !/\bchecked\b/.test(attributes);
    if (name === undefined || isUnchecked || attributes.includes('type="file"')) continue;
    fields.append(name, unescaped(valueOf(tag ?? '', attribute('value') ?? '', content)));
  }
  return { action: unescaped(/action="([^"]*)"/.exec(form)?.[1] ?? ''), fields };
}

function valueOf(tag: string, value: string, content: string): string {
  if (tag === 'textarea') return content.replace(/^\n/, '');
  if (tag === 'input') return value;
  return /<option\s+value="([^"]*)"\s+selected/.exec(content)?.[1] ?? /value="([^"]*)"/.exec(content)?.[1] ?? '';
}

/** A text of a page as people read it. */
export function unescaped(text: string): string {
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? '');
}
