import { contract, parameterNames, type Endpoint, type Group, type GroupName } from '@runward/contract';
import { send, toCall, type ApiRequest } from './call.ts';
import type { ClientOptions, QueryValues, RequestOptions } from './options.ts';
import { toList } from './page-iterator.ts';
import { property } from './property.ts';
import { readSettings, realTiming, type Settings, type Timing } from './settings.ts';
import type { Answer, Client, ListPage } from './types.ts';
import { fillPath } from './url.ts';

/**
 * A client for one server and one key.
 *
 * @throws RunwardError when an option is wrong; a missing key is an error of the first call that needs one
 */
export function createClient(options: ClientOptions = {}): Client {
  return buildClient(options, realTiming);
}

/** {@link createClient} with its timing as an argument, for tests. */
export function buildClient(options: ClientOptions, timing: Timing): Client {
  const settings = readSettings(options, timing);
  const request: Client['request'] = (method, path, { query, body, ...options } = {}) =>
    toCall(
      send(settings, { operation: null, method, path, query, body, key: 'optional', answer: 'anything', options }),
    );

  const groups: Readonly<Record<GroupName, Group>> = contract;
  const root: Record<string, unknown> = { request };
  for (const [key, group] of Object.entries(groups)) {
    const branch = key.split('.').reduce((node, word) => (node[word] ??= {}) as Record<string, unknown>, root);
    for (const [name, endpoint] of Object.entries(group)) {
      branch[name] = toMethod(settings, `${key}.${name}`, endpoint);
    }
  }
  // The type is derived from the same table as the loop; a test holds the two together.
  return root as unknown as Client;
}

function toMethod(settings: Settings, operation: string, endpoint: Endpoint) {
  // Async, so that a wrong argument rejects the call as every other error does.
  const answer = async (args: Arguments) => send(settings, toRequest(operation, endpoint, args));
  if (!isList(endpoint)) return (...args: unknown[]) => toCall(answer(readArguments(endpoint, args)));

  return (...args: unknown[]) => {
    const read = readArguments(endpoint, args);
    return toList((cursor) => {
      const page = answer(cursor === undefined ? read : { ...read, query: { ...read.query, cursor } });
      return toCall(page as Promise<Answer<ListPage>>);
    });
  };
}

interface Arguments {
  readonly path: readonly unknown[];
  readonly body: unknown;
  readonly query: QueryValues | undefined;
  readonly options: RequestOptions;
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
  const { method, access, response } = endpoint;
  return {
    operation,
    method,
    path: fillPath(operation, endpoint.path, path),
    query,
    body: hasKey(endpoint.body, 'idempotencyKey') ? withIdempotencyKey(body, options) : body,
    key: access === 'public' ? 'none' : 'required',
    answer: response === undefined ? 'nothing' : 'json',
    options,
  };
}

// Made here, before the first attempt, so that every attempt carries the same.
function withIdempotencyKey(body: unknown, options: RequestOptions): unknown {
  const idempotencyKey = property(body, 'idempotencyKey') ?? options.idempotencyKey ?? crypto.randomUUID();
  return { ...(body as object), idempotencyKey };
}

function isList({ method, query }: Endpoint): boolean {
  return method === 'GET' && hasKey(query, 'cursor');
}

function hasKey(schema: Endpoint['body'], key: string): boolean {
  return property(property(schema, 'shape'), key) !== undefined;
}
