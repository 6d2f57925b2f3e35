import type { z } from 'zod';
import type { Scope } from './scopes.ts';

/** HTTP methods the API uses. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call an endpoint: a key with this scope (or any session), only a session, only a session of an owner or admin, or anyone
 * without signing in.
 */
export type Access = Scope | 'session' | 'administrator' | 'public';

/**
 * Everything one endpoint promises, as plain data. Every `:name` in `path` is a UUID unless its group says otherwise.
 * A 204 has no `response`.
 */
export interface Endpoint {
  readonly method: Method;
  readonly path: `/${string}`;
  readonly access: Access;
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly status: 200 | 201 | 204;
  readonly response?: z.ZodType;
}

/** Endpoints that share a resource; the keys become method names of the SDK and the handlers. */
export type Group = Readonly<Record<string, Endpoint>>;

/** The names of a path's parameters: `/a/:id/b/:key` gives `'id' | 'key'`. */
export type PathParameter<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameter<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What a handler receives for a schema that may be absent. */
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a caller sends for a schema that may be absent. */
type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

/** The path parameters of an endpoint. */
export type Params<E extends Endpoint> = Readonly<Record<PathParameter<E['path']>, string>>;

/** The parsed query of an endpoint, `undefined` where it takes none. */
export type Query<E extends Endpoint> = Parsed<E['query']>;

/** The parsed body of an endpoint, `undefined` where it takes none. */
export type Body<E extends Endpoint> = Parsed<E['body']>;

/** What a client may send as the query of an endpoint. */
export type QueryInput<E extends Endpoint> = Sent<E['query']>;

/** What a client may send as the body of an endpoint. */
export type BodyInput<E extends Endpoint> = Sent<E['body']>;

/** What an endpoint answers, `undefined` for a 204. */
export type Response<E extends Endpoint> = E['response'] extends z.ZodType ? z.input<E['response']> : undefined;

/** The parameter names of a path in the order they stand there. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
}
