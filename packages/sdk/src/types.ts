import type { RateLimit } from './request/rate-limit.ts';

/** The data of a call with the response it came in. */
export interface ApiResponse<Data> {
  readonly data: Data;
  /** Status and headers. Its body is in `data`. */
  readonly response: Response;
  /** The `x-request-id` header. */
  readonly requestId: string | null;
  /** The `ETag` header: the version of the record in `data`, in quotes. Null if the record has no version. */
  readonly etag: string | null;
  /**
   * The `Age` header: how many seconds old the data is at most, if it was read from a replica that may lag; see
   * `maxStaleSeconds`. Null if it is the current state.
   */
  readonly ageSeconds: number | null;
  /** Null if the request does not count, for example without an API key. */
  readonly rateLimit: RateLimit | null;
}

/** A pending request. Await it for its data. Rejects with a RunwardError. */
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
 * A list that sends requests on use. Awaiting it requests one page, once. Iterating over it yields the items of all
 * pages, and requests each page when needed. If an async function returns a list, the result is its first page.
 */
export interface List<Page extends ListPage> extends Call<Page>, AsyncIterable<Page['data'][number]> {
  /** Iterates over the pages. */
  pages(): AsyncGenerator<Page, void, undefined>;
  /** Collects the first `limit` items. Does not request further pages. */
  toArray(options: { readonly limit: number }): Promise<Page['data'][number][]>;
}
