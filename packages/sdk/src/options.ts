import type { Hooks } from './hooks.ts';

/** Options of a client. All are optional if environment variables supply the API key and the address. */
export interface ClientOptions {
  /** Default: the environment variable RUNWARD_API_KEY. Only public endpoints work without a key. */
  readonly apiKey?: string | undefined;
  /**
   * The address of the server, including its path prefix, if any. Default: RUNWARD_BASE_URL, else
   * `http://127.0.0.1:3000`.
   */
  readonly baseUrl?: string | undefined;
  /**
   * Time limit of one attempt, including bodies. For a download: time until the headers, then between two parts.
   * Default 30,000.
   */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries of a failed request. Default 2; 0 disables retries. */
  readonly maxRetries?: number | undefined;
  /** Longest `Retry-After` to wait for. A longer one rejects the call. Default 60. */
  readonly maxRetryAfterSeconds?: number | undefined;
  /**
   * Whether each POST and PATCH that writes gets its own idempotency key, so that it can be retried. Default true. With
   * false, only calls with the option `idempotencyKey` are retried.
   */
  readonly idempotencyKeys?: boolean | undefined;
  /** Replaces the global `fetch`, for example to use a proxy or custom certificates. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly hooks?: Hooks | undefined;
  /** Added to the user agent. */
  readonly appInfo?: AppInfo | undefined;
}

/** Options of one call. */
export interface RequestOptions {
  /** Aborting it rejects the call with an AbortError, even during a wait before a retry. */
  readonly signal?: AbortSignal | undefined;
  /** See {@link ClientOptions.timeoutMs}. */
  readonly timeoutMs?: number | undefined;
  /** See {@link ClientOptions.maxRetries}. */
  readonly maxRetries?: number | undefined;
  /** Additional headers; they override the headers of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Sent as `Idempotency-Key`, the same in every attempt. The server performs a request once per key, and returns the
   * stored response to repetitions for 24 hours. With a key, any write can therefore be retried. 1 to 255 visible ASCII
   * characters; false: none. Default: a new UUID for each write, except a PUT without `ifMatch`.
   */
  readonly idempotencyKey?: string | false | undefined;
}

/** Options of a write that can check the version of its record. */
export interface VersionedWriteOptions extends RequestOptions {
  /**
   * The `version` of the record, or the `etag` of an earlier response, sent as `If-Match`. If the record has changed
   * since, nothing is written, and the call rejects with a PreconditionFailedError. Default: `*`, any version.
   */
  readonly ifMatch?: string | undefined;
}

/** Options of a read that may come from a replica of the database. */
export interface StaleReadOptions extends RequestOptions {
  /**
   * How many seconds old the data may be, a whole number, sent as `Cache-Control: max-stale`. With a service that has a
   * replica, up to 5 seconds spare its primary database; see `ageSeconds` of the response. Default: the current state.
   */
  readonly maxStaleSeconds?: number | undefined;
}

/** Query parameters by name. */
export type QueryValues = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Options of `request`. */
export interface RawRequestOptions extends VersionedWriteOptions, StaleReadOptions {
  /** Query parameters; undefined values are left out. */
  readonly query?: QueryValues | undefined;
  /** Sent as JSON; a FormData as `multipart/form-data`. */
  readonly body?: unknown;
}

/** The program that uses the SDK. */
export interface AppInfo {
  readonly name: string;
  readonly version?: string | undefined;
  readonly url?: string | undefined;
}
