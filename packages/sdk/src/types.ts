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
import type { RawRequestOptions, RequestOptions } from './options.ts';
import type { RateLimit } from './rate-limit.ts';

/** The data of a call together with what the answer said besides. */
export interface Answer<Data> {
  readonly data: Data;
  /** Status and headers. Its body is in `data`. */
  readonly response: Response;
  /** `x-request-id` of the answer. */
  readonly requestId: string | null;
  /** Null on answers that are not counted, for example without a key. */
  readonly rateLimit: RateLimit | null;
}

/** A request that is on its way: await it for its data. It rejects with a RunwardError. */
export interface Call<Data> extends Promise<Data> {
  /** The same call with headers, request id and rate limit; it does not send a second request. */
  withResponse(): Promise<Answer<Data>>;
}

/** What a page of a list has at least. */
export interface ListPage {
  readonly data: readonly unknown[];
  readonly nextCursor: string | null;
}

/**
 * A list that was not asked for yet. Awaited, it is one page, requested once. Iterated, it is all items from the first
 * page on, and each page is requested when it is needed. Being awaitable, it turns into its page when an async function
 * returns it.
 */
export interface List<Page extends ListPage> extends Call<Page>, AsyncIterable<Page['data'][number]> {
  /** One page after the other. */
  pages(): AsyncGenerator<Page, void, undefined>;
  /** The first `limit` items; further pages are not requested. */
  toArray(options: { readonly limit: number }): Promise<Page['data'][number][]>;
}

/** One method for each endpoint of the contract, in the objects its group's name spells, and `request` for any other path. */
export interface Client extends Branch<Contract> {
  /**
   * Sends a request to a path that starts with a slash. Returns JSON parsed, text as a string and any other content as a
   * {@link Download}. Key, retries and errors are those of every other call.
   */
  request(method: Method, path: string, options?: RawRequestOptions): Call<unknown>;
}

/** The groups that start with the same word in one object: the methods of `runs` and, as `tasks`, those of `runs.tasks`. */
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
  ...args: [...PathArguments<E['path']>, ...BodyArgument<E>, ...QueryArgument<E>, options?: RequestOptions]
) => ResponseOf<E> extends ListPage ? List<ResponseOf<E>> : Call<Result<E>>;

/** What a call resolves to: a streamed response is a {@link Download}, JSON its data, a 204 `undefined`. */
export type Result<E extends Endpoint> = E['response'] extends Stream ? Download : ResponseOf<E>;

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
