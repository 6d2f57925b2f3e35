import type {
  BodyInput,
  Contract,
  Endpoint,
  ErrorBody,
  GroupName,
  Operation,
  Params,
  QueryInput,
  Response as Promised,
} from '@runward/contract';
import { checkErrorCode } from './checks/error-code.ts';
import { secrets } from './checks/secrets.ts';
import { endpoints } from './generated/endpoints.ts';

/** A response as clients see it. `error` is the body of an error response. */
export interface ApiResponse<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly error: ErrorBody;
}

/** The input of a call. Input that the contract's types forbid goes through `raw`. */
export interface CallInput<E extends Endpoint> {
  readonly params?: Partial<Params<E>>;
  readonly query?: QueryInput<E>;
  readonly body?: BodyInput<E>;
}

/** Calls endpoints by their name in the contract, with one key. */
export interface Api {
  /** Sends a well-typed request. */
  call<G extends GroupName, N extends keyof Contract[G] & string>(
    group: G,
    name: N,
    input?: Contract[G][N] extends Endpoint ? CallInput<Contract[G][N]> : never,
  ): Promise<ApiResponse<Contract[G][N] extends Endpoint ? Promised<Contract[G][N]> : never>>;
  /** Sends any body: a string, a form or a blob unchanged, anything else as JSON. */
  raw(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<ApiResponse<unknown>>;
}

/** The API of a server for one API key; null sends no key. */
export function apiOf(baseUrl: string, apiKey: string | null): Api {
  return apiWith(baseUrl, apiKey === null ? {} : { authorization: `Bearer ${apiKey}` });
}

/** The API of a server as a browser sees it after signing in. */
export async function signIn(baseUrl: string, email: string, password: string): Promise<Api> {
  const { status, headers, body } = await apiWith(baseUrl, {}).call('auth', 'login', { body: { email, password } });
  if (status !== 200) throw new Error(`Signing in returned ${status}: ${JSON.stringify(body)}`);
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const csrf = cookies.find((cookie) => cookie.startsWith('flow_csrf='))?.slice('flow_csrf='.length) ?? '';
  return apiWith(baseUrl, { cookie: cookies.join('; '), 'x-service-csrf': csrf });
}

/** The multipart form of a body. */
export function toFormData(body: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body as Record<string, string | Blob>)) form.append(name, value);
  return form;
}

function asIs(body: unknown): body is string | FormData | Blob {
  return typeof body === 'string' || body instanceof FormData || body instanceof Blob;
}

function typeOf(body: unknown): string {
  return body instanceof Blob ? body.type : 'application/json';
}

/** The API of a server with headers of one's own on every request. */
export function apiWith(baseUrl: string, ownHeaders: Readonly<Record<string, string>>): Api {
  const raw: Api['raw'] = async (method, path, { body, headers = {} } = {}) => {
    const sent = new Headers({
      ...ownHeaders,
      ...(body !== undefined && !(body instanceof FormData) && { 'content-type': typeOf(body) }),
      ...headers,
    });
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: sent,
      ...(body !== undefined && { body: asIs(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const parsed: unknown = isJson ? JSON.parse(text) : text === '' ? undefined : text;
    for (const each of [sent, response.headers]) secrets.rememberHeaders(each);
    for (const each of [body, parsed]) secrets.rememberNamed(each);
    checkErrorCode(`${method} ${path}`, response.status, parsed);
    // An error repeats the path that was sent, and paths contain the tokens of shares.
    const shown = text.replace(JSON.stringify(new URL(path, baseUrl).pathname), '""');
    if (response.status >= 400) secrets.keep(`response to ${method} ${path}`, shown);
    return { status: response.status, headers: response.headers, body: parsed, error: parsed as ErrorBody };
  };
  return {
    raw,
    call: async (group, name, input = {} as never) => {
      const { params = {}, query, body } = input as CallInput<Endpoint> & { params?: Record<string, string> };
      const { method, path: pattern, isMultipart } = endpoints[`${group}.${name}` as Operation];
      const path = pattern.replaceAll(/:(\w+)/g, (_, each: string) => params[each as never] ?? `missing-${each}`);
      const search = new URLSearchParams((query ?? {}) as Record<string, string>).toString();
      const sent = body === undefined ? {} : { body: isMultipart ? toFormData(body) : body };
      return raw(method, search ? `${path}?${search}` : path, sent) as never;
    },
  };
}
