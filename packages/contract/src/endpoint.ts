import type { z } from 'zod';
import type { Deprecation } from './deprecation.ts';
import type { ErrorCode } from './error-codes.ts';
import type { Scope } from './scopes.ts';
import type { Binary, FileInput, IncomingContent, Multipart, Stream, StreamedFile, UploadedFile } from './transfer.ts';
import { id } from './values.ts';

/** HTTP methods the API uses. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call an endpoint.
 *
 * - A scope: API keys that hold it, and sessions of members whose role includes it.
 * - `authenticated`: every API key and every session.
 * - `session`: sessions only.
 * - `administrator`: sessions of owners and admins only.
 * - `public`: everyone, without authentication.
 */
export type Access = Scope | 'authenticated' | 'session' | 'administrator' | 'public';

/**
 * Features that a plan may lack. Every request with an API key requires `publicApi`. Endpoints name the others in
 * `requires`.
 */
export const capabilities = ['publicApi', 'apiKeys', 'webhooks'] as const;

/** A feature that a plan may lack, as the `capability` of a 402 names it. */
export type Capability = (typeof capabilities)[number];

/** Whether an endpoint changes data. Only writes run in a transaction and accept an idempotency key. */
export type Effect = 'read' | 'write';

/**
 * One endpoint as plain data. Everything else (routes, guard, OpenAPI, SDK) is derived from it.
 */
export interface Endpoint {
  readonly method: Method;
  readonly path: `/${string}`;
  readonly access: Access;
  /**
   * Whether sessions of guests may call it, for the tasks that are theirs. Default: false. What needs no scope, they
   * may call always, but not in a session that a form link began. See `mayCall` for the other roles.
   */
  readonly guests?: boolean;
  /** The capability that the plan needs, also for sessions. Without it, the endpoint returns 402. */
  readonly requires?: Capability;
  /** Default: `read` for GET, `write` for every other method. */
  readonly effect?: Effect;
  /**
   * Whether a replica of the database may be read, if there is one. `replica`: always, with everything that was
   * committed before the request. `replica-on-request`: if the request accepts an older state, by
   * `Cache-Control: max-stale`. Only for endpoints that read. Default: neither. Who calls, and what they may do, is
   * never read from a replica.
   */
  readonly reads?: 'replica' | 'replica-on-request';
  /** Imperative, one line, no period. */
  readonly summary: string;
  /** Full sentences: units, defaults, limits, errors, and what happens to related records. */
  readonly description?: string;
  /** Schemas of the path parameters that are not UUIDs, by name. They keep the case of the value. */
  readonly params?: Readonly<Record<string, z.ZodType<string>>>;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType | Multipart | Binary;
  /** 201 if it creates a record. Default: 200, or 204 without a `response`. */
  readonly status?: 201;
  readonly response?: z.ZodType | Stream;
  /**
   * Whether the record has a `version`. If true, responses with a body send it as `ETag`, a GET accepts
   * `If-None-Match`, and a write accepts `If-Match`. Default: false; a write with `If-Match` is then rejected.
   */
  readonly versioned?: boolean;
  /** The most bytes that a JSON body may have. Default: 1,048,576. */
  readonly maximumBytes?: number;
  /**
   * Whether the request can use much memory: always (true), or if one of these query parameters is present. Such a
   * request waits for others of its organization; see `largeRequestsInWork` in `limits`. Default: false.
   */
  readonly large?: boolean | readonly string[];
  /**
   * Whether the request changes what only one request at a time can change. It then waits for other such requests of
   * its organization before it takes a connection to the database, unless it is large. Default: false.
   */
  readonly serial?: boolean;
  /**
   * Extra time for slow records or files, in milliseconds, added to the time budget of every request. Default: none.
   */
  readonly timeBudgetMs?: number;
  /**
   * The codes of the errors of the handler, such as `run_terminal`, or `not_found` for an id in the body. The rest of
   * the entry implies the others.
   */
  readonly errors?: readonly ErrorCode[];
  /**
   * That the endpoint should no longer be used, and what takes its place. Its responses, and all that is derived, say
   * so.
   */
  readonly deprecated?: Deprecation;
}

/** Endpoints of one resource. The keys are the method names of the SDK and of the handler table. */
export type Group = Readonly<Record<string, Endpoint>>;

/** The names of the parameters in a path: `'id' | 'key'` for `/a/:id/b/:key`. */
export type PathParameter<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameter<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What a handler receives for an optional schema. */
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a client sends for an optional schema. */
type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

/**
 * The text fields of a multipart body. Without this type, an object without properties would be `Record<string,
 * never>`, which forbids the files too.
 */
type TextFields<Fields> = string extends keyof Fields ? unknown : Fields;

/** The parsed path parameters of an endpoint. */
export type Params<E extends Endpoint> = Readonly<Record<PathParameter<E['path']>, string>>;

/** The parsed query of an endpoint; `undefined` if it has none. */
export type Query<E extends Endpoint> = Parsed<E['query']>;

/**
 * The parsed body of an endpoint; `undefined` if it has none. The fields and files of a multipart body share one
 * object.
 */
export type Body<E extends Endpoint> =
  E['body'] extends Multipart<infer Fields, infer Files>
    ? TextFields<z.output<Fields>> & Readonly<Record<keyof Files, UploadedFile>>
    : E['body'] extends Binary
      ? IncomingContent
      : Parsed<E['body']>;

/** What a client may send as the query of an endpoint. */
export type QueryInput<E extends Endpoint> = Sent<E['query']>;

/** What a client may send as the body of an endpoint. */
export type BodyInput<E extends Endpoint> =
  E['body'] extends Multipart<infer Fields, infer Files>
    ? TextFields<z.input<Fields>> & Readonly<Record<keyof Files, FileInput>>
    : E['body'] extends Binary
      ? FileInput
      : Sent<E['body']>;

/** What the handler of an endpoint returns; `undefined` for a 204. */
export type Response<E extends Endpoint> = E['response'] extends Stream
  ? StreamedFile
  : E['response'] extends z.ZodType
    ? z.input<E['response']>
    : undefined;

/** The parameter names of a path, in the order of the path. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
}

/** The schema of each path parameter, in the order of the path. Default: a UUID. */
export function parametersOf({ path, params = {} }: Pick<Endpoint, 'path' | 'params'>): Map<string, z.ZodType<string>> {
  return new Map(parameterNames(path).map((name) => [name, params[name] ?? id]));
}

/** The status of a response that is no error. */
export function statusOf({ status, response }: Endpoint): 200 | 201 | 204 {
  return status ?? (response ? 200 : 204);
}

/** Whether an endpoint reads or writes. */
export function effectOf({ method, effect }: Pick<Endpoint, 'method' | 'effect'>): Effect {
  return effect ?? (method === 'GET' ? 'read' : 'write');
}
