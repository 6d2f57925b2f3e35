import type { Hooks } from './hooks.ts';

/** Options of a client. All are optional if the environment provides the API key and the address. */
export interface ClientOptions {
  /** Default: the environment variable RUNWARD_API_KEY. Only public endpoints work without a key. */
  readonly apiKey?: string | undefined;
  /** The address of the server, with its path prefix if it has one. Default: RUNWARD_BASE_URL, else `http://127.0.0.1:3000`. */
  readonly baseUrl?: string | undefined;
  /** Time for one attempt, bodies included. For a download: time to the headers, then between two parts. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries of a failed request. Default 2; 0 disables retries. */
  readonly maxRetries?: number | undefined;
  /** Longest `Retry-After` that is honored; a longer one rejects the call. Default 60. */
  readonly maxRetryAfterSeconds?: number | undefined;
  /**
   * Whether each POST and PATCH that writes gets an idempotency key of its own, so that it can be retried. Default true. With false, they are
   * retried only if a call has the option `idempotencyKey`.
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
  /** Rejects the call with an AbortError when it aborts, also during a wait before a retry. */
  readonly signal?: AbortSignal | undefined;
  /** See {@link ClientOptions.timeoutMs}. */
  readonly timeoutMs?: number | undefined;
  /** See {@link ClientOptions.maxRetries}. */
  readonly maxRetries?: number | undefined;
  /** Additional headers; they override those of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Sent as `Idempotency-Key`, the same in every attempt. The server performs a request once per key and returns the stored response to
   * repetitions for 24 hours, so that a POST or PATCH is retried. 1 to 255 visible ASCII characters; false: none. Default: a new UUID for
   * each POST and PATCH that writes.
   */
  readonly idempotencyKey?: string | false | undefined;
}

/** Options of a write that can check the version of its record. */
export interface VersionedWriteOptions extends RequestOptions {
  /**
   * The `version` of the record or the `etag` of an earlier response, sent as `If-Match`. If the record has changed since, nothing is
   * written and the call rejects with a PreconditionFailedError. `*`: any version. Default: any version.
   */
  readonly ifMatch?: string | undefined;
}

/** Query parameters by name. */
export type QueryValues = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Options of `request`. */
export interface RawRequestOptions extends VersionedWriteOptions {
  /** Added to the path; undefined values are left out. */
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
