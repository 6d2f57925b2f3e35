/** A list that several responses contain, and the last of them. */
interface KeptList {
  readonly list: string;
  rest: string;
  body: Buffer;
}

const lists = new WeakMap<object, KeptList>();
const responses = new WeakMap<object, string>();

/** Keeps the JSON of a list that several responses contain, so that it is written once. Nobody may change the list afterwards. */
export function keepListJson(list: readonly unknown[]): void {
  lists.set(list, { list: JSON.stringify(list), rest: '', body: Buffer.alloc(0) });
}

/** Keeps the JSON of a response that is sent several times. Nobody may change the response afterwards. */
export function keepResponseJson(response: object): void {
  responses.set(response, JSON.stringify(response));
}

/** The JSON of a response that was kept, or of a page whose list was; null for any other response. */
export function keptJson(response: unknown): Buffer | string | null {
  if (typeof response !== 'object' || response === null) return null;
  const json = responses.get(response);
  if (json !== undefined) return json;
  if (!('data' in response)) return null;
  const { data, ...others } = response;
  const page = typeof data === 'object' && data !== null ? lists.get(data) : undefined;
  if (!page) return null;
  const rest = JSON.stringify(others);
  if (rest !== page.rest) {
    page.rest = rest;
    const separator = rest === '{}' ? '' : ',';
    page.body = Buffer.from(`{"data":${page.list}${separator}${rest.slice(1)}`);
  }
  return page.body;
}
