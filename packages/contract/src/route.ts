import { z } from 'zod';
import { effectOf, type Endpoint, type Group, type Method } from './endpoint.ts';
import { argumentNames } from './path-parameters.ts';
import { isBinary, isMultipart, isStream } from './transfer.ts';

/** An endpoint without its schemas: all a client needs to send a request and read the response. */
export interface Route {
  readonly method: Method;
  /** The path. Parameters are named like the arguments, such as `:runId`; see `argumentNames`. */
  readonly path: string;
  /** Everyone may call it, without authentication. */
  readonly isPublic?: true;
  /** Present if it only reads, whatever its method. */
  readonly effect?: 'read';
  /**
   * The kind of body. `json`; `keyed`: JSON with the property `idempotencyKey`; `binary`: any media type; a list:
   * multipart with files of these names. Absent: no body.
   */
  readonly body?: 'json' | 'keyed' | 'binary' | readonly string[];
  /** Whether it has query parameters. */
  readonly query?: true;
  /**
   * The kind of response. `list`: a page of a list, as JSON. An array: content of one of these media types. Absent: no
   * content.
   */
  readonly returns?: 'json' | 'list' | readonly string[];
}

/** The routes that a client with an API key can call, by operation. Endpoints that need a session are left out. */
export function routesOf(groups: Readonly<Record<string, Group>>): Record<string, Route> {
  const endpoints = Object.entries(groups).flatMap(([group, members]) =>
    Object.entries(members).map(([name, endpoint]) => [`${group}.${name}`, endpoint] as const),
  );
  return Object.fromEntries(
    endpoints
      .filter(([, { access }]) => access !== 'session' && access !== 'administrator')
      .map(([operation, endpoint]) => [operation, routeOf(endpoint)]),
  );
}

function routeOf(endpoint: Endpoint): Route {
  const { method, access, query, body, response } = endpoint;
  return {
    method,
    path: spokenPath(endpoint.path),
    ...(access === 'public' && { isPublic: true }),
    ...(method !== 'GET' && effectOf(endpoint) === 'read' && { effect: 'read' }),
    ...(body && { body: bodyOf(body) }),
    ...(query && { query: true }),
    ...(response && { returns: returnsOf(endpoint, response) }),
  };
}

function spokenPath(path: string): string {
  const names = argumentNames(path);
  return path.replaceAll(/:\w+/g, () => `:${names.shift()}`);
}

function bodyOf(body: NonNullable<Endpoint['body']>): NonNullable<Route['body']> {
  if (isMultipart(body)) return Object.keys(body.files);
  if (isBinary(body)) return 'binary';
  return body instanceof z.ZodObject && 'idempotencyKey' in body.shape ? 'keyed' : 'json';
}

function returnsOf(
  { method, query }: Endpoint,
  response: NonNullable<Endpoint['response']>,
): NonNullable<Route['returns']> {
  if (isStream(response)) return response.contentTypes;
  return method === 'GET' && query && 'cursor' in query.shape ? 'list' : 'json';
}
