const start = Buffer.from('{"data":');

/** A value as the bytes of its JSON, which are sent in several responses. */
export class Rendered<Value> {
  readonly json: Buffer;
  /** The version of the value, if it has one. */
  readonly version: unknown;
  #page = { rest: '', json: Buffer.alloc(0) };

  constructor(value: Value & object) {
    this.json = Buffer.from(JSON.stringify(value));
    this.version = 'version' in value ? value.version : undefined;
  }

  /** The JSON of a page with this list. All callers that wait for a list get the same bytes. */
  inPage(others: object): Buffer {
    const rest = JSON.stringify(others).slice(1);
    if (rest !== this.#page.rest) {
      this.#page = { rest, json: Buffer.concat([start, this.json, Buffer.from(`,${rest}`)]) };
    }
    return this.#page.json;
  }

  /** The value, for callers that need more than its JSON. */
  parse(): Value {
    return JSON.parse(this.json.toString()) as Value;
  }
}

/** What a handler may return instead of a response: its JSON, or for a page the JSON of its list. */
export type RenderedResponse<Value> = Value extends { readonly data: infer List }
  ? Omit<Value, 'data'> & { readonly data: Rendered<List> }
  : Value extends object
    ? Rendered<Value>
    : never;

/** The JSON of a response that is rendered, completely or as a page. Null for any other response. */
export function jsonOf(response: unknown): Buffer | null {
  if (response instanceof Rendered) return response.json;
  if (!isRenderedPage(response)) return null;
  const { data, ...others } = response;
  return data.inPage(others);
}

/** A response as a value, rendered or not. */
export function valueOf(response: unknown): unknown {
  if (response instanceof Rendered) return response.parse();
  return isRenderedPage(response) ? { ...response, data: response.data.parse() } : response;
}

function isRenderedPage(response: unknown): response is { readonly data: Rendered<unknown>; readonly total: number } {
  return typeof response === 'object' && response !== null && 'data' in response && response.data instanceof Rendered;
}
