import {
  contract,
  effectOf,
  isMultipart,
  isStream,
  parameterNames,
  type Endpoint,
  type Group,
  type GroupName,
} from '@runward/contract';
import { send, toCall, type ApiRequest } from './call.ts';
import { createTransfers } from './files/transfers.ts';
import { toFormData } from './form-data.ts';
import type { ClientOptions, QueryValues, RequestOptions, VersionedWriteOptions } from './options.ts';
import { toList } from './page-iterator.ts';
import { property } from './property.ts';
import type { Returns } from './read-body.ts';
import { readSettings, realTiming, type Settings, type Timing } from './settings.ts';
import type { ApiResponse, Client, ListPage } from './types.ts';
import { fillPath } from './url.ts';

/**
 * A client for one server and one key.
 *
 * @throws RunwardError if an option is invalid; a missing API key rejects the first call that needs it
 */
export function createClient(options: ClientOptions = {}): Client {
  return buildClient(options, realTiming);
}

/** {@link createClient} with its timing as an argument, for tests. */
export function buildClient(options: ClientOptions, timing: Timing): Client {
  const settings = readSettings(options, timing);
  const client = deriveClient(settings, { ...contract } satisfies Readonly<Record<GroupName, Group>>);
  return { ...client, files: { ...client.files, ...createTransfers(settings, client.files) } };
}

/** The methods of the endpoints of a contract. */
export function deriveClient(settings: Settings, groups: Readonly<Record<string, Group>>): Client {
  const request: Client['request'] = (method, path, { query, body, ...options } = {}) => {
    const effect = effectOf({ method });
    const sent = {
      operation: null,
      method,
      effect,
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
  for (const [key, group] of Object.entries(groups)) {
    const branch = key.split('.').reduce((node, word) => (node[word] ??= {}) as Record<string, unknown>, root);
    for (const [name, endpoint] of Object.entries(group)) {
      branch[name] = toMethod(settings, `${key}.${name}`, endpoint);
    }
  }
  // The type is derived from the same table as this loop; a test checks that they agree.
  return root as unknown as Client;
}

function toMethod(settings: Settings, operation: string, endpoint: Endpoint) {
  // Async, so that an invalid argument rejects the call like every other error.
  const request = async (args: Arguments) => send(settings, toRequest(operation, endpoint, args));
  if (!isList(endpoint)) return (...args: unknown[]) => toCall(request(readArguments(endpoint, args)));

  return (...args: unknown[]) => {
    const first = readArguments(endpoint, args);
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
  readonly options: VersionedWriteOptions;
}

function readArguments(endpoint: Endpoint, args: readonly unknown[]): Arguments {
  const count = parameterNames(endpoint.path).length;
  const rest = args.slice(count);
  return {
    path: args.slice(0, count),
    body: endpoint.body && rest.shift(),
    query: endpoint.query && (rest.shift() as QueryValues | undefined),
    options: rest.shift() ?? {},
  };
}

function toRequest(operation: string, endpoint: Endpoint, { path, body, query, options }: Arguments): ApiRequest {
  const { method, access, body: schema, response } = endpoint;
  return {
    operation,
    method,
    effect: effectOf(endpoint),
    path: fillPath(operation, endpoint.path, path),
    query,
    body: isMultipart(schema) ? toFormData(operation, schema, body) : toJsonBody(schema, body, options),
    key: access === 'public' ? 'none' : 'required',
    returns: returnsOf(response),
    options,
  };
}

function returnsOf(response: Endpoint['response']): Returns {
  if (response === undefined) return 'nothing';
  return isStream(response) ? response : 'json';
}

function toJsonBody(schema: Endpoint['body'], body: unknown, options: RequestOptions): unknown {
  // The key of a form is that of its completion; the server rejects it if the form is not completed.
  if (!hasKey(schema, 'idempotencyKey') || property(body, 'complete') === false) return body;
  // Generated before the first attempt, so that every attempt carries the same key.
  const idempotencyKey = property(body, 'idempotencyKey') ?? options.idempotencyKey ?? crypto.randomUUID();
  return { ...(body as object), idempotencyKey };
}

function isList({ method, query }: Endpoint): boolean {
  return method === 'GET' && hasKey(query, 'cursor');
}

function hasKey(schema: Endpoint['body'], key: string): boolean {
  return property(property(schema, 'shape'), key) !== undefined;
}
