import type {
  BodyInput,
  Contract,
  Endpoint,
  Method,
  QueryInput,
  Response as ResponseOf,
  Stream,
} from '@runward/contract';
import type { Download } from './download.ts';
import type { FileTransfers } from './files/options.ts';
import type { RawRequestOptions, RequestOptions, VersionedWriteOptions } from './options.ts';
import type { RateLimit } from './rate-limit.ts';

/** The data of a call with the response it came in. */
export interface ApiResponse<Data> {
  readonly data: Data;
  /** Status and headers. Its body is in `data`. */
  readonly response: Response;
  /** The `x-request-id` header. */
  readonly requestId: string | null;
  /** The `ETag` header: the version of the record in `data`, in quotes. Null if the record has no version. */
  readonly etag: string | null;
  /** Null if the request does not count, for example without an API key. */
  readonly rateLimit: RateLimit | null;
}

/** A pending request: await it for its data. Rejects with a RunwardError. */
export interface Call<Data> extends Promise<Data> {
  /** The data with headers, request id and rate limit. Does not send a second request. */
  withResponse(): Promise<ApiResponse<Data>>;
}

/** The minimum that pages of every list have. */
export interface ListPage {
  readonly data: readonly unknown[];
  readonly nextCursor: string | null;
}

/**
 * A list that is requested on use. Awaiting it requests one page, once. Iterating it yields the items of all pages and
 * requests each page when it is needed. An async function that returns a list resolves to its first page.
 */
export interface List<Page extends ListPage> extends Call<Page>, AsyncIterable<Page['data'][number]> {
  /** Iterates over the pages. */
  pages(): AsyncGenerator<Page, void, undefined>;
  /** Collects the first `limit` items; further pages are not requested. */
  toArray(options: { readonly limit: number }): Promise<Page['data'][number][]>;
}

/**
 * One method per endpoint that a key can call, nested by the words of its group's name, and `request` for any other path. Endpoints that need
 * a session are left out.
 */
export interface Client extends Branch<WithKey<Contract>> {
  /** The methods of `files`, and transfers that consist of several of their requests. */
  readonly files: Branch<WithKey<Contract>>['files'] & FileTransfers;
  /**
   * Sends a request to a path that starts with a slash. Resolves to parsed JSON, text as a string, and any other content
   * as a {@link Download}. API key, retries and errors work as in every other call.
   */
  request(method: Method, path: string, options?: RawRequestOptions): Call<unknown>;
}

/** The endpoints of a contract that need no session, and the groups that have some. */
export type WithKey<Groups> = {
  readonly [Name in keyof Groups as keyof KeyMethods<Groups[Name]> extends never ? never : Name]: KeyMethods<
    Groups[Name]
  >;
};

type KeyMethods<Group> = {
  readonly [
    Name in keyof Group as Group[Name] extends { readonly access: 'session' | 'administrator' } ? never : Name
  ]: Group[Name];
};

/** Groups nested by the words of their names: the methods of `runs` and, under `tasks`, those of `runs.tasks`. */
export type Branch<Groups> = {
  readonly [Name in FirstWord<keyof Groups & string>]: (Name extends keyof Groups ? Methods<Groups[Name]> : unknown) &
    Branch<Within<Groups, Name>>;
};

/** The methods of a group. */
export type Methods<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends Endpoint ? EndpointMethod<Group[Name]> : never;
};

/** The method of an endpoint: path parameters in the order of the path, body, query, options. */
export type EndpointMethod<E extends Endpoint> = (
  ...args: [...PathArguments<E['path']>, ...BodyArgument<E>, ...QueryArgument<E>, options?: OptionsOf<E>]
) => ResponseOf<E> extends ListPage ? List<ResponseOf<E>> : Call<Result<E>>;

/** What a call resolves to: a {@link Download} for a streamed response, parsed JSON, `undefined` for a 204. */
export type Result<E extends Endpoint> = E['response'] extends Stream ? Download : ResponseOf<E>;

/** A creation has no earlier version. */
type OptionsOf<E extends Endpoint> = E extends { readonly versioned: true; readonly status: 200 | 204 }
  ? E extends { readonly method: 'GET' }
    ? RequestOptions
    : VersionedWriteOptions
  : RequestOptions;

type FirstWord<Name extends string> = Name extends `${infer First}.${string}` ? First : Name;

type Within<Groups, Name extends string> = {
  [Key in keyof Groups as Key extends `${Name}.${infer Rest}` ? Rest : never]: Groups[Key];
};

type PathArguments<Path extends string> = Path extends `${string}:${string}/${infer Rest}`
  ? [pathParameter: string, ...PathArguments<`/${Rest}`>]
  : Path extends `${string}:${string}`
    ? [pathParameter: string]
    : [];

type BodyArgument<E extends Endpoint> = E extends { readonly body: object }
  ? undefined extends BodyInput<E>
    ? [body?: BodyInput<E>]
    : [body: BodyInput<E>]
  : [];

type QueryArgument<E extends Endpoint> = E extends { readonly query: object }
  ? Partial<QueryInput<E>> extends QueryInput<E>
    ? [query?: QueryInput<E>]
    : [query: QueryInput<E>]
  : [];
