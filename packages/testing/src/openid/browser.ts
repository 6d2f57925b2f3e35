import type { newClient } from '../page-client.ts';

type PageClient = ReturnType<typeof newClient>;

/** What a browser ends at. */
export interface Arrival {
  readonly status: number;
  readonly html: string;
  /** The whole URL. */
  readonly url: string;
  /** Every URL on the way. */
  readonly way: readonly string[];
}

const mostRedirects = 12;

/** A browser that follows redirects between the service and providers, with cookies for each. */
export function newTraveller(client: PageClient, baseUrl: string) {
  const jars = new Map<string, Map<string, string>>();
  /** One request, to a provider or the service. */
  const send = async (url: string, form?: Record<string, string>) => {
    const { origin, pathname, search } = new URL(url);
    if (origin === baseUrl) {
      const path = pathname + search;
      return form ? client.submit(path, form) : client.get(path);
    }
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const cookie = [...jar].map((each) => each.join('=')).join('; ');
    const body = form && { method: 'POST', body: new URLSearchParams(form) };
    const response = await fetch(url, { redirect: 'manual', headers: { cookie }, ...body });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  /** Opens a page and follows redirects, up to a URL that `stops`. */
  const travel = async (path: string, stops: (url: string) => boolean = () => false): Promise<Arrival> => {
    const way: string[] = [];
    let url = new URL(path, baseUrl).href;
    for (let hop = 0; hop < mostRedirects; hop += 1) {
      way.push(url);
      if (stops(url)) return { status: 0, html: '', url, way };
      const { status, headers, html } = await send(url);
      const location = headers.get('location');
      if (status < 300 || status >= 400 || location === null) return { status, html, url, way };
      url = new URL(location, url).href;
    }
    throw new Error(`Too many redirects:\n${way.join('\n')}`);
  };
  return { client, send, travel };
}
