import type { Client } from './client-type.ts';
import { createDownload } from './files/download.ts';
import { createSave } from './files/save.ts';
import { createUpload } from './files/upload.ts';
import { routes } from './generated/routes.ts';
import type { ClientOptions, QueryValues, StaleReadOptions, VersionedWriteOptions } from './options.ts';
import { toList } from './page-iterator.ts';
import { property } from './property.ts';
import { send, toCall, type ApiRequest } from './request/call.ts';
import { toFormData } from './request/form-data.ts';
import { chosenKey, hasKeyInBody } from './request/idempotency.ts';
import { fillPath, parameterNames } from './request/url.ts';
import type { Effect, Method, Route } from './route.ts';
import { readSettings, realTiming, type Settings, type Timing } from './settings.ts';
import { withWireNames } from './synonyms.ts';
import type { ApiResponse, ListPage } from './types.ts';
import { newUuid } from './uuid.ts';

/**
 * A client for one server and one key.
 *
 * @throws RunwardError if an option is invalid. A missing API key rejects the first call that needs it
 */
export function createClient(options: ClientOptions = {}): Client {
  return buildClient(options, realTiming);
}

/** {@link createClient} with its timing as an argument, for tests. */
export function buildClient(options: ClientOptions, timing: Timing): Client {
  const settings = readSettings(options, timing);
  const client = deriveClient(settings, routes);
  const { files } = client;
  return {
    ...client,
    files: {
      ...files,
      upload: createUpload(settings, files),
      download: createDownload(settings, files),
      save: createSave(settings, files),
    },
  };
}

/** Creates the methods for routes, nested by the words of their names. */
export function deriveClient(settings: Settings, table: Readonly<Record<string, Route>>): Client {
  const request: Client['request'] = (method, path, { query, body, ...options } = {}) => {
    const sent = {
      operation: null,
      method,
      effect: defaultEffect(method),
      path,
      query,
      body,
      key: 'optional',
      returns: 'any',
      options,
    } as const;
    return toCall(send(settings, sent));
  };

  const root: Record<string, unknown> = { request };
  for (const [operation, route] of Object.entries(table)) {
    const words = operation.split('.');
    const name = words.pop() ?? '';
    const branch = words.reduce((node, word) => (node[word] ??= {}) as Record<string, unknown>, root);
    branch[name] = toMethod(settings, operation, route);
    // The earlier name of these methods.
    if (name === 'delete') branch['remove'] = branch[name];
  }
  // Both the type and the routes are generated from the contract. A test checks that they agree.
  return root as unknown as Client;
}

function toMethod(settings: Settings, operation: string, route: Route) {
  // Async, so that an invalid argument rejects the call like any other error.
  const request = async (args: Arguments) => send(settings, toRequest(settings, operation, route, args));
  if (route.returns !== 'list') return (...args: unknown[]) => toCall(request(readArguments(route, args)));

  return (...args: unknown[]) => {
    const first = readArguments(route, args);
    return toList((cursor) => {
      const page = request(cursor === undefined ? first : { ...first, query: { ...first.query, cursor } });
      return toCall(page as Promise<ApiResponse<ListPage>>);
    });
  };
}

interface Arguments {
  readonly path: readonly unknown[];
  readonly body: unknown;
  readonly query: QueryValues | undefined;
  readonly options: VersionedWriteOptions & StaleReadOptions;
}

function readArguments(route: Route, args: readonly unknown[]): Arguments {
  const count = parameterNames(route.path).length;
  const rest = args.slice(count);
  return {
    path: args.slice(0, count),
    body: route.body && rest.shift(),
    query: route.query && (rest.shift() as QueryValues | undefined),
    options: rest.shift() ?? {},
  };
}

function toRequest(
  settings: Settings,
  operation: string,
  route: Route,
  { path, body, query, options }: Arguments,
): ApiRequest {
  const { method, effect = defaultEffect(method), returns = 'nothing', isPublic = false } = route;
  return {
    operation,
    method,
    effect,
    path: fillPath(operation, route.path, path),
    query: withWireNames(operation, query),
    body: toBody(operation, route, withWireNames(operation, body), chosenKey(settings, options)),
    key: isPublic ? 'none' : 'required',
    returns: returns === 'list' ? 'json' : returns,
    options,
  };
}

function toBody(operation: string, { body: kind }: Route, body: unknown, key: string | false | undefined): unknown {
  if (typeof kind === 'object') return toFormData(operation, kind, body);
  // A key with a form belongs to its completion. The server rejects it if the form is not completed.
  if (kind !== 'keyed' || property(body, 'complete') === false || (key === false && !hasKeyInBody(body))) return body;
  // Generated before the first attempt, so that every attempt carries the same key.
  const idempotencyKey = property(body, 'idempotencyKey') ?? (key || newUuid());
  return { ...(body as object), idempotencyKey };
}

function defaultEffect(method: Method): Effect {
  return method === 'GET' ? 'read' : 'write';
}
